import { WebSocket } from "ws";

/** A socket of the server that tells when its peer has read everything. */
export interface BoundedSocket extends WebSocket {
  /** Resolves once nothing is unsent, or the socket is closed. */
  flushed: () => Promise<void>;
}

interface Bounds {
  /** Bytes that may lie unsent for one socket. */
  perSocket: number;
  /** Bytes that may lie unsent for all sockets together; beyond it a socket with anything unsent is ended. */
  inAll: number;
}

type Callback = () => void;

/**
 * The class of the sockets that a WebSocketServer makes. A peer that does not read, while it makes the server send, costs
 * memory: when more than a bound lies unsent, the next message, ping or pong terminates its socket. One answer may be larger
 * than the bound.
 */
export function createBoundedSocketClass({ perSocket, inAll }: Bounds): typeof WebSocket {
  let unsentInAll = 0;

  class Bounded extends WebSocket implements BoundedSocket {
    /** How many bytes of unsentInAll are this socket's. */
    #counted = 0;
    #waiting: (() => void)[] = [];

    constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
      super(...parameters);
      this.once("close", () => this.#count());
    }

    flushed(): Promise<void> {
      if (this.#unsent() === 0) return Promise.resolve();
      return new Promise((resolve) => this.#waiting.push(resolve));
    }

    /**
     * Calls back at once and without an error. graphql-ws keeps a peer's message in memory until its answer is sent, and
     * prints every failed send on the terminal.
     */
    override send(data: never, options?: unknown, callback?: Callback): void {
      const isCallback = typeof options === "function";
      this.#write((sent) => super.send(data, isCallback ? {} : (options ?? {}), sent));
      (isCallback ? (options as Callback) : callback)?.();
    }

    override ping(data?: unknown, mask?: boolean, callback?: (error: Error) => void): void {
      this.#write((sent) => super.ping(data, mask, sent), callback as Callback | undefined);
    }

    override pong(data?: unknown, mask?: boolean, callback?: (error: Error) => void): void {
      this.#write((sent) => super.pong(data, mask, sent), callback as Callback | undefined);
    }

    #write(write: (sent: Callback) => void, callback?: Callback): void {
      const unsent = this.#unsent();
      if (unsent > perSocket || (unsent > 0 && unsentInAll > inAll)) {
        this.terminate();
        return;
      }
      write(() => {
        this.#count();
        callback?.();
      });
      this.#count();
    }

    #unsent(): number {
      return this.readyState === WebSocket.CLOSED ? 0 : this.bufferedAmount;
    }

    #count(): void {
      const unsent = this.#unsent();
      unsentInAll += unsent - this.#counted;
      this.#counted = unsent;
      if (unsent === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
  return Bounded as unknown as typeof WebSocket;
}
