import { expect, it } from 'vitest';
import { createElementIndex, type ElementIndex, type PreviousElements } from '../../../src/proxy/nftables/program.ts';

const element = (value: string, key = 'k') => ({ container: 'm', element: { key, value } });
type Elements = ReturnType<typeof element>[];

/** Returns the changes of a single replacement. */
function replace(index: ElementIndex, owner: string, before: Elements, after: Elements, previous: PreviousElements = new Map()) {
  index.replace(owner, before, after, previous);
  return index.changesOf(previous);
}

it('createElementIndex gives a key to the first owner, sorted by name, then to the next owner', () => {
  const index = createElementIndex();
  const change = (owner: string, before: string[], after: string[]) =>
    replace(
      index,
      owner,
      before.map((value) => element(value)),
      after.map((value) => element(value)),
    ).map((each) => [each.before?.value, each.after?.value]);
  expect(change('b', [], ['of b'])).toEqual([[undefined, 'of b']]);
  expect(change('a', [], ['of a'])).toEqual([['of b', 'of a']]);
  expect(change('b', ['of b'], ['still of b'])).toEqual([['of a', 'of a']]);
  expect(change('a', ['of a'], [])).toEqual([['of a', 'still of b']]);
  expect(change('b', ['still of b'], [])).toEqual([['still of b', undefined]]);
});

it("createElementIndex uses the first of an owner's elements for a key", () => {
  const index = createElementIndex();
  const changes = replace(index, 'a', [], [element('one'), element('two')]);
  expect(changes.map(({ after }) => after)).toEqual([{ key: 'k', value: 'one' }]);
});

it('changesOf reports a key that changed several times once, with its original element', () => {
  const index = createElementIndex();
  const previous: PreviousElements = new Map();
  replace(index, 'a', [], [element('x')], previous);
  expect(replace(index, 'a', [element('x')], [element('y'), element('z', 'other')], previous)).toEqual([
    { container: 'm', before: undefined, after: { key: 'k', value: 'y' } },
    { container: 'm', before: undefined, after: { key: 'other', value: 'z' } },
  ]);
});
