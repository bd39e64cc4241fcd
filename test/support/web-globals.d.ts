/**
 * The globals that sources for browsers and Node.js may use. tsconfig.browser.json checks these sources without the types of Node.js and of
 * the DOM, so that they use no other globals.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { readonly read: number; readonly written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}

declare function atob(data: string): string;
declare function btoa(data: string): string;

/** Only the members of AbortSignal that the sources use. */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/** The common part of the timers of browsers and Node.js; the handle is opaque. */
declare function setTimeout(callback: () => void, milliseconds: number): { readonly timer: never };
declare function clearTimeout(timer: { readonly timer: never }): void;
declare const performance: { now(): number };

/** Only what the sources use. */
declare class URLSearchParams {
  constructor(query: string);
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
