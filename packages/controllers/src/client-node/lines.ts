/** Lines as they come together out of pieces. */
export interface Lines {
  /** How many bytes of whole lines are there. */
  readonly bytes: number;
  /** @returns false where a line is too long */
  add(chunk: Buffer): boolean;
  /** The next line, without its end. Empty ones are left out. */
  take(): string | undefined;
  /** No more comes: what there is of a last line is one. */
  finish(): void;
  clear(): void;
}

export function createLines(maxBytes: number): Lines {
  let whole: Buffer[] = [];
  let wholeBytes = 0;
  let taken = 0;
  let rest: Rest = { pieces: [], bytes: 0 };
  const complete = (end: Buffer): void => {
    const line = rest.bytes === 0 ? end : Buffer.concat([...rest.pieces, end]);
    rest = { pieces: [], bytes: 0 };
    if (line.length === 0) return;
    whole.push(line);
    wholeBytes += line.length;
  };
  return {
    get bytes() {
      return wholeBytes;
    },
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
        if (rest.bytes + end - start > maxBytes) return false;
        complete(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) {
        rest.pieces.push(chunk.subarray(start));
        rest.bytes += chunk.length - start;
      }
      return rest.bytes <= maxBytes;
    },
    take() {
      const line = whole[taken];
      if (line === undefined) return undefined;
      taken += 1;
      wholeBytes -= line.length;
      if (taken === whole.length) {
        whole = [];
        taken = 0;
      }
      return line.toString('utf8');
    },
    finish: () => complete(Buffer.alloc(0)),
    clear() {
      whole = [];
      wholeBytes = 0;
      taken = 0;
      rest = { pieces: [], bytes: 0 };
    },
  };
}

/** Of a line whose end has not come. */
interface Rest {
  readonly pieces: Buffer[];
  bytes: number;
}

const newLine = 0x0a;
