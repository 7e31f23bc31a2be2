import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseRunUser, ensureDatabase } from "../../embedded/index.ts";
import { startNewCluster } from "./new_cluster.ts";
import { query, type RoleCluster } from "./role_cluster.ts";

export interface TlsCluster extends RoleCluster {
  /**
   * Files of certificates: the authority of the server's, one that has nothing to do with it, and one pair for a role.
   */
  files: Record<"authority" | "stranger" | "clientCertificate" | "clientKey", string>;
}

/**
 * Starts a PostgreSQL with TLS, whose certificate is for localhost, and the certificate of the role "someone" as a
 * client.
 */
export async function startTlsCluster(): Promise<TlsCluster> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-tls-"));
  chmodSync(folder, 0o755);
  const authority = makeAuthority(folder, "authority");
  const stranger = makeAuthority(folder, "stranger");
  const server = makeCertificate(folder, "server", "/CN=localhost", "subjectAltName=DNS:localhost");
  const client = makeCertificate(folder, "client", "/CN=someone");
  const user = chooseRunUser([]);
  if (user) chownSync(server.key, user.uid, user.gid);
  const postgres = await startNewCluster({
    ssl: "on",
    ssl_cert_file: server.certificate,
    ssl_key_file: server.key,
    ssl_ca_file: authority,
  });
  return {
    postgres: {
      ...postgres,
      stop: async () => {
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    },
    files: { authority, stranger, clientCertificate: client.certificate, clientKey: client.key },
    newDatabase: (database, role = "latchkey_migrator") =>
      ensureDatabase(postgres, { role, password: "of the migrator", database }),
    superuserQuery: (text) => query(postgres.superuserUrl, text),
  };
}

const openssl = (...parameters: string[]) => execFileSync("openssl", parameters, { stdio: "pipe" });
const newKey = (file: string) => ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file];

function makeAuthority(folder: string, name: string): string {
  const file = join(folder, `${name}.crt`);
  const key = newKey(join(folder, `${name}.key`));
  openssl("req", "-x509", ...key, "-out", file, "-subj", `/CN=${name}`, "-days", "2");
  return file;
}

function makeCertificate(folder: string, name: string, subject: string, ...extensions: string[]) {
  const [key, request, certificate] = ["key", "csr", "crt"].map((kind) => join(folder, `${name}.${kind}`));
  if (!key || !request || !certificate) throw new Error("three files");
  openssl("req", ...newKey(key), "-out", request, "-subj", subject);
  const authority = ["-CA", join(folder, "authority.crt"), "-CAkey", join(folder, "authority.key"), "-CAcreateserial"];
  writeFileSync(`${certificate}.ext`, extensions.join("\n"));
  openssl(
    "x509",
    "-req",
    "-in",
    request,
    ...authority,
    "-out",
    certificate,
    "-days",
    "2",
    "-extfile",
    `${certificate}.ext`,
  );
  return { key, certificate };
}
