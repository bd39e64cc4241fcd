import { expect, test } from 'vitest';
import { pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { pathText } from '../../../../src/patch/apply/path-element.ts';
import { fieldsOf } from '../../../../src/patch/apply/typed/fields-of.ts';
import { toy } from '../../support.ts';

const fields = (value: unknown) => pathsOf(fieldsOf(value, toy)).map((path) => pathText(path));

test.each([
  [{ count: 1, nest: { left: 'l' } }, ['.count', '.nest.left']],
  [{ labels: { a: 'b' } }, ['.labels.a']],
  [{ labels: {}, nest: null, raw: null }, ['.labels', '.nest', '.raw']],
  [{ whole: [{ size: 1 }], raw: { a: 1 } }, ['.raw', '.whole']],
  [{ nest: { pick: { name: 'a' } } }, ['.nest.pick']],
  [{ tags: ['b', 'a'] }, ['.tags[="a"]', '.tags[="b"]']],
  [
    { items: [{ name: 'a', size: 1 }] },
    ['.items[kind="plain",name="a"]', '.items[kind="plain",name="a"].name', '.items[kind="plain",name="a"].size'],
  ],
  [{ items: [{ name: 'a', size: 1 }, { name: 'a' }] }, ['.items[kind="plain",name="a"]']],
  [{ any: { x: [1], y: { z: 1 } } }, ['.any.x', '.any.y', '.any.y.z']],
  [{ tags: [], items: [] }, []],
])('%j sets %j', (value, expected) => {
  expect(fields(value)).toEqual(expected);
});
