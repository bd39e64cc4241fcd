import { expect, test } from 'vitest';
import { createAlone } from '../../src/election/ownership.ts';

test('one that is alone owns everything until it is told to end, then nothing, and says so', async () => {
  const { ownership, run } = createAlone();
  const answers: boolean[] = [];
  ownership.onChange(() => answers.push(ownership.owns('shop/web')));
  const end = new AbortController();
  const ended = run(end.signal);
  expect([ownership.owns('shop/web'), answers]).toEqual([true, []]);
  end.abort();
  await ended;
  expect(answers).toEqual([false]);
});
