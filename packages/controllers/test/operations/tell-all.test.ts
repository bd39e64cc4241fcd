import { expect, test } from 'vitest';
import { tellAll } from '../../src/operations/index.ts';
import { synced } from './happenings.ts';

test('tells several in order, and passes over who is not there', () => {
  const heard: string[] = [];
  tellAll(
    ({ kind }) => void heard.push(`first ${kind}`),
    undefined,
    ({ kind }) => void heard.push(`second ${kind}`),
  )(synced());
  expect(heard).toEqual(['first synced', 'second synced']);
});
