import type { Socket } from "node:net";
import pg from "pg";
import type { DatabaseAddress } from "./address.ts";
import { attemptsOf, encryptedStream, openStream, type Attempt } from "./streams.ts";

/** SQLSTATEs. 08001 counts as temporary: another host, or a renewed certificate, may be there later. */
const cannotConnect = "08001";
const isStartingUp = "57P03";
/** Also: pg_hba.conf has no line for a connection with, or without, TLS. */
const isNotAuthorized = "28000";
const isReadOnly = "25006";

/** What the driver's connection has beyond its published types. */
interface Internals {
  stream: Socket;
  _connecting: boolean;
  _ending: boolean;
  requestSsl: () => void;
  attachListeners: (stream: Socket) => void;
}

interface ServerMessage {
  code?: string;
  mechanisms?: string[];
  parameterName?: string;
  parameterValue?: string;
}

/**
 * Replaces how the driver's connection opens: attempts in libpq's order, each with a stream of its own. Until one has
 * logged in, the driver sees only the messages of the attempt that counts.
 */
export class DatabaseConnection extends pg.Connection {
  readonly #driver = this as unknown as Internals;
  readonly #address: DatabaseAddress;
  readonly #options: pg.ClientConfig;
  readonly #failures: Error[] = [];
  /** The settings that the server reported during the login. */
  readonly #reported = new Map<string, string>();
  #attempts: Attempt[];
  #current: Attempt | undefined;
  #isOpening = false;
  #isConnected = false;
  #isBound = false;
  #hostTimeout: NodeJS.Timeout | undefined;

  constructor(address: DatabaseAddress, options: pg.ClientConfig) {
    super({});
    this.#address = address;
    this.#options = options;
    this.#attempts = attemptsOf(address);
  }

  /** The driver gives the first host. */
  connect(): void {
    this.#driver._connecting = true;
    this.#isOpening = true;
    this.#tryNext();
  }

  override end(): void {
    if (!this.#isOpening) {
      super.end();
      return;
    }
    this.#driver._ending = true;
    this.#driver.stream.destroy();
  }

  // Without a rest parameter: it is called for every row.
  override emit(event: string, message?: unknown, listener?: unknown): boolean {
    if (this.#isOpening && this.#isConsumed(event, message as ServerMessage)) return true;
    return super.emit(event, message, listener);
  }

  #tryNext(): void {
    const attempt = this.#attempts.shift();
    if (!attempt) {
      const [only, ...others] = this.#failures;
      const message = () => this.#failures.map((failure) => failure.message).join("; ");
      this.#giveUp(others.length === 0 ? only : new AggregateError(this.#failures, message()));
      return;
    }
    if (attempt.host !== this.#current?.host) this.#limitHost();
    this.#current = attempt;
    this.#isConnected = false;
    const { host } = attempt.host;
    const socket = openStream(attempt.host);
    this.#use(socket);
    socket.once("connect", () => {
      this.#isConnected = true;
      if (this.#options.keepAlive) socket.setKeepAlive(true, this.#options.keepAliveInitialDelayMillis);
      if (!attempt.tls) this.#logIn(socket);
      else if (this.#address.isDirectTls) this.#encrypt(socket, host);
      else this.#askForTls(socket, host);
    });
  }

  #askForTls(socket: Socket, host: string): void {
    socket.once("data", (data) => {
      // Exactly one byte: what follows it in the same packet is not from the server (CVE-2021-23222).
      const answer = data.toString("latin1");
      if (answer === "S") this.#encrypt(socket, host);
      else if (answer === "N" && this.#address.tlsMode === "prefer") this.#logIn(socket);
      else socket.destroy(failure(`${host} does not offer TLS, and the address asks for it`));
    });
    this.#driver.requestSsl();
  }

  #encrypt(socket: Socket, host: string): void {
    const encrypted = encryptedStream(socket, host, this.#address);
    this.#use(encrypted, (error) => failure(`TLS with ${host} failed: ${error.message}`, error));
    encrypted.once("secureConnect", () => this.#logIn(encrypted));
  }

  /** The client sends the role's name, then answers what the server asks. */
  #logIn(stream: Socket): void {
    this.#driver.attachListeners(stream);
    super.emit("connect");
  }

  #use(stream: Socket, explain: (error: Error) => Error = (error) => error): void {
    this.#driver.stream = stream;
    let lost: Error | undefined;
    stream.on("error", (error) => {
      lost = this.#isOpening ? explain(error) : error;
      if (!this.#isOpening && !(this.#driver._ending && isDisconnect(error))) super.emit("error", error);
    });
    stream.on("close", () => {
      if (this.#driver.stream !== stream) return;
      if (!this.#isOpening) super.emit("end");
      // No error, and no end of the data: this process closed it, because nobody waits for it any longer.
      else if (this.#driver._ending || (!lost && !stream.readableEnded)) this.#giveUp(lost);
      else this.#fail(lost ?? failure("Connection terminated unexpectedly"), this.#isConnected);
    });
  }

  /** Goes on with the next attempt: at the same host in the other way, or at the next host. */
  #fail(error: Error, maySucceedHere: boolean): void {
    this.#failures.push(error);
    const { host } = this.#current ?? {};
    if (!maySucceedHere) this.#attempts = this.#attempts.filter((attempt) => attempt.host !== host);
    this.#tryNext();
  }

  /** Whether a message of the attempt that runs must not reach the driver. */
  #isConsumed(event: string, message: ServerMessage): boolean {
    if (event.startsWith("authentication")) return this.#isUnbound(event, message);
    if (event === "parameterStatus") {
      this.#reported.set(message.parameterName ?? "", message.parameterValue ?? "");
      return false;
    }
    const next = this.#attempts[0]?.host;
    const here = this.#current?.host;
    if (event === "errorMessage") {
      const isRepeated = message.code === isNotAuthorized && next === here;
      const isMoved = message.code === isStartingUp && this.#attempts.some(({ host }) => host !== here);
      if (isRepeated || isMoved) return this.#leave(message as Error, isRepeated);
      this.#isOpening = false;
    }
    if (event === "readyForQuery") {
      if (this.#address.mustAcceptWrites && this.#isReadOnly())
        return this.#leave(failure(`${here?.host} is read-only`, undefined, isReadOnly), false);
      this.#isOpening = false;
    }
    if (!this.#isOpening) clearTimeout(this.#hostTimeout);
    return false;
  }

  #leave(error: Error, maySucceedHere: boolean): true {
    const { stream } = this.#driver;
    this.#reported.clear();
    this.#fail(error, maySucceedHere);
    stream.end(terminate);
    return true;
  }

  #isReadOnly(): boolean {
    // A pooler may report neither.
    return ["in_hot_standby", "default_transaction_read_only"].some((name) => this.#reported.get(name) === "on");
  }

  /** channel_binding=require: only a login that is bound to this very TLS connection counts. */
  #isUnbound(event: string, { mechanisms }: ServerMessage): boolean {
    if (mechanisms?.includes("SCRAM-SHA-256-PLUS")) this.#isBound = true;
    if (this.#address.channelBinding !== "require" || this.#isBound) return false;
    this.#giveUp(
      failure(`the server does not bind the login to TLS (${event}), and channel_binding=require asks for it`),
    );
    this.#driver.stream.destroy();
    return true;
  }

  #giveUp(error: Error | undefined): void {
    this.#isOpening = false;
    clearTimeout(this.#hostTimeout);
    if (error) super.emit("error", error);
    super.emit("end");
  }

  /** A host that is silent must leave time for the others. */
  #limitHost(): void {
    clearTimeout(this.#hostTimeout);
    if (this.#attempts.length === 0) return;
    const { length } = this.#address.hosts;
    const { connectionTimeoutMillis: all = 0 } = this.#options;
    const ms = all === 0 ? 10_000 : all / length;
    this.#hostTimeout = setTimeout(() => {
      this.#driver.stream.destroy(failure(`${this.#current?.host.host} did not answer within ${ms} ms`));
    }, 0.9 * ms).unref();
  }
}

/** The protocol's message that ends a session. */
const terminate = Buffer.from([0x58, 0, 0, 0, 4]);

const isDisconnect = ({ code = "" }: NodeJS.ErrnoException): boolean => code === "ECONNRESET" || code === "EPIPE";

const failure = (message: string, cause?: Error, code = cannotConnect): Error =>
  Object.assign(new Error(message, { cause }), { code });
