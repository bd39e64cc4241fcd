import { describe, expect, test } from 'vitest';
import * as element from '../../../src/patch/apply/path-element.ts';

test('each element has one text form', () => {
  expect(element.createFieldElement('a:b')).toBe('f:a:b');
  expect(element.createKeyElement({ protocol: 'TCP', port: 80 })).toBe('k:{"port":80,"protocol":"TCP"}');
  expect(element.createValueElement('<')).toBe('v:"\\u003c"');
  expect(element.createIndexElement(3)).toBe('i:3');
  expect(element.fieldNameOf('f:a')).toBe('a');
  expect(element.fieldNameOf('v:"a"')).toBeUndefined();
  expect(element.isKeyElement('k:{}')).toBe(true);
});

describe('parseElement', () => {
  test.each([
    ['f:a', 'f:a'],
    ['k:{"b": 1, "a":"x"}', 'k:{"a":"x","b":1}'],
    ['v: 1.0', 'v:1'],
    ['i:07', 'i:7'],
    ['x:new', undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(element.parseElement(text)).toBe(expected);
  });

  test.each(['', 'f', 'field', 'k:[1]', 'k:{', 'v:', 'i:x'])('refuses %j', (text) => {
    expect(() => element.parseElement(text)).toThrow(SyntaxError);
  });
});

test('compareElements orders fields before keys, values and indices', () => {
  const sortedElements = [
    'f:a',
    'f:b',
    'k:{"a":1}',
    'k:{"a":1,"b":1}',
    'k:{"a":2}',
    'k:{"b":1}',
    'v:2',
    'v:10',
    'v:"a"',
    'v:true',
    'i:2',
    'i:10',
  ];
  expect(sortedElements.toReversed().sort(element.compareElements)).toEqual(sortedElements);
  expect(element.compareElements('v:[1,2]', 'v:[1]')).toBeGreaterThan(0);
  expect(element.compareElements('v:[1,2]', 'v:[1,3]')).toBeLessThan(0);
  expect(element.compareElements('v:{"a":1}', 'v:null')).toBeLessThan(0);
});

test('formatPath prints a path, and formatElement an element', () => {
  const path = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'];
  expect(element.formatPath(path)).toBe('.spec.ports[port=80,protocol="TCP"].name');
  expect(element.formatPath(['v:"a"', 'i:1', 'v:2000000'])).toBe('[="a"][1][=2e+06]');
  expect(element.formatElement('v:2000000')).toBe('[=2000000]');
  expect(element.formatElement('k:{"a":{"b":[1,null]},"c":true}')).toBe('[a=b=[1,null],c=true]');
});
