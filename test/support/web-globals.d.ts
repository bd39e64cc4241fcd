/**
 * What src outside src/cli may use beyond the language itself: globals that browsers and Node.js share. The types of
 * Node.js and of the DOM stay out of that check (tsconfig.browser.json), so that nothing else slips in.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

/** What tells a call to end; as much of it as a reader of types needs. */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
}
