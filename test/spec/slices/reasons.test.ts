import { expect, it } from 'vitest';
import { messageFor, messages } from '../../../src/spec/slices/plan.ts';

it('every reason code has a unique message, which is a sentence', () => {
  const texts = Object.values(messages);
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) expect(text).toMatch(/^[A-Z].*\.$/);
  for (const [code, text] of Object.entries(messages)) expect(messageFor(code as keyof typeof messages)).toBe(text);
});
