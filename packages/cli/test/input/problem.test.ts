import { expect, test } from 'vitest';
import { formatLocation, formatProblem, type InputProblem } from '../../src/input/problem.ts';

test.each<[InputProblem, string]>([
  [{ source: 'a.yaml', message: 'm' }, 'a.yaml: m'],
  [{ source: 'a.yaml', line: 3, message: 'm' }, 'a.yaml, line 3: m'],
  [{ source: 'a.yaml', document: 2, message: 'm' }, 'a.yaml, document 2: m'],
  [{ source: 'a.yaml', document: 2, line: 14, message: 'm' }, 'a.yaml, document 2, line 14: m'],
  [
    { source: 'a.yaml', document: 2, line: 14, object: 'Service shop/web', message: 'm' },
    'a.yaml, document 2, line 14: Service shop/web: m',
  ],
  [{ source: 'standard input', object: 'Pod x/y', message: 'm: n' }, 'standard input: Pod x/y: m: n'],
  [{ source: 'a.yaml', document: undefined, line: undefined, object: undefined, message: 'm' }, 'a.yaml: m'],
])('formatProblem formats %j', (problem, line) => {
  expect(formatProblem(problem)).toBe(line);
});

test('formatLocation goes from the file to the line', () => {
  expect(formatLocation({ source: 'b.json', document: 1, line: 7 })).toBe('b.json, document 1, line 7');
});
