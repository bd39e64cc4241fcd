import { expect, test } from 'vitest';
import { toBase64 } from '../../src/admission/base64.ts';

test.each(['', 'a', 'ab', 'abc', '[{"op":"add"}]', 'grün', '😀 and "text"', 'line\nbreak', '\u0080', '\u00ff'])(
  '%j is the base64 of its UTF-8',
  (text) => {
    expect(toBase64(text)).toBe(Buffer.from(text).toString('base64'));
  },
);
