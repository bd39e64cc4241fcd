import { expect, it } from 'vitest';
import { beginAgain, createRounds, mayAsk, noteAsked } from '../../src/admission/rounds.ts';

const kept = { changed: false, reinvocable: true };
const changed = { changed: true, reinvocable: true };
const changedOnce = { changed: true, reinvocable: false };

it('the first round calls all, and there is no second without a reinvocable webhook', () => {
  const rounds = createRounds();
  expect(mayAsk(rounds, 'a')).toBe(true);
  noteAsked(rounds, 'a', changedOnce);
  noteAsked(rounds, 'b', changedOnce);
  expect(beginAgain(rounds)).toBe(false);
});

it('the second round calls only reinvocable webhooks that precede a change', () => {
  const rounds = createRounds();
  noteAsked(rounds, 'a', kept);
  noteAsked(rounds, 'b', changedOnce);
  noteAsked(rounds, 'c', changed);
  expect(beginAgain(rounds)).toBe(true);
  expect(['a', 'b', 'c', 'd'].filter((id) => mayAsk(rounds, id))).toEqual(['a']);
});

it('the second round includes every reinvocable webhook before the last change', () => {
  const rounds = createRounds();
  noteAsked(rounds, 'a', kept);
  noteAsked(rounds, 'b', changed);
  noteAsked(rounds, 'c', changedOnce);
  beginAgain(rounds);
  expect(['a', 'b', 'c'].filter((id) => mayAsk(rounds, id))).toEqual(['a', 'b']);
});

it('there is no third round', () => {
  const rounds = createRounds();
  noteAsked(rounds, 'a', kept);
  noteAsked(rounds, 'b', changedOnce);
  expect(beginAgain(rounds)).toBe(true);
  noteAsked(rounds, 'a', changed);
  noteAsked(rounds, 'b', changedOnce);
  expect(beginAgain(rounds)).toBe(false);
});
