import { WebSocket } from "ws";

/** A server-side socket whose buffer is limited. */
export interface BoundedSocket extends WebSocket {
  /** Resolves once the client has read everything, or the socket is closed. */
  waitForDrain: () => Promise<void>;
}

/** Bytes that are sent, but that the clients' systems have not taken yet. */
interface BufferLimits {
  perSocket: number;
  /** For all sockets together. Beyond it, the next send on any socket with buffered bytes terminates that socket. */
  total: number;
  /** How long a client may take none of them. */
  stallMs: number;
}

type Callback = () => void;

/**
 * Creates the class of a WebSocketServer's sockets. A client that makes the server send, but does not read, fills the
 * server's memory: if the buffer exceeds a limit, or was not read for too long, the next message, ping or pong
 * terminates the socket. graphql-ws pings every socket. One message may be larger than the limit.
 */
export function createBoundedSocketClass({ perSocket, total, stallMs }: BufferLimits): typeof WebSocket {
  let totalBuffered = 0;

  class Bounded extends WebSocket implements BoundedSocket {
    /** This socket's part of totalBuffered. */
    #counted = 0;
    /** When the client's system last took something, or the buffer was empty. */
    #takenAt = 0;
    #drainCallbacks: (() => void)[] = [];

    constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
      super(...parameters);
      this.once("close", () => this.#updateCount());
    }

    waitForDrain(): Promise<void> {
      if (this.#buffered() === 0) return Promise.resolve();
      return new Promise((resolve) => this.#drainCallbacks.push(resolve));
    }

    /**
     * Calls back at once, without an error: until then, graphql-ws keeps the client's message in memory, and it prints
     * each error of a send to the console.
     */
    override send(data: never, options?: unknown, callback?: Callback): void {
      const isCallback = typeof options === "function";
      this.#write((onSent) => super.send(data, isCallback ? {} : (options ?? {}), onSent));
      (isCallback ? (options as Callback) : callback)?.();
    }

    override ping(data?: unknown, mask?: boolean, callback?: (error: Error) => void): void {
      this.#write((onSent) => super.ping(data, mask, onSent), callback as Callback | undefined);
    }

    override pong(data?: unknown, mask?: boolean, callback?: (error: Error) => void): void {
      this.#write((onSent) => super.pong(data, mask, onSent), callback as Callback | undefined);
    }

    #write(write: (onSent: Callback) => void, callback?: Callback): void {
      const buffered = this.#buffered();
      const now = performance.now();
      if (buffered === 0) this.#takenAt = now;
      if (buffered > perSocket || (buffered > 0 && totalBuffered > total) || now - this.#takenAt > stallMs) {
        this.terminate();
        return;
      }
      write(() => {
        this.#takenAt = performance.now();
        this.#updateCount();
        callback?.();
      });
      this.#updateCount();
    }

    #buffered(): number {
      return this.readyState === WebSocket.CLOSED ? 0 : this.bufferedAmount;
    }

    #updateCount(): void {
      const buffered = this.#buffered();
      totalBuffered += buffered - this.#counted;
      this.#counted = buffered;
      if (buffered === 0) for (const resolve of this.#drainCallbacks.splice(0)) resolve();
    }
  }
  return Bounded as unknown as typeof WebSocket;
}
