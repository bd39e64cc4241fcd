/**
 * What src outside packages/cli/src may use beyond the language itself: globals that browsers and Node.js share. The types of
 * Node.js and of the DOM stay out of that check (tsconfig.browser.json), so that nothing else slips in.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { readonly read: number; readonly written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}

declare function btoa(data: string): string;

/** The members of AbortSignal that are in use. */
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

/** Timers as far as browsers and Node.js agree; the handle is opaque. */
declare function setTimeout(callback: () => void, milliseconds: number): { readonly timer: never };
declare function clearTimeout(timer: { readonly timer: never }): void;
declare const performance: { now(): number };
