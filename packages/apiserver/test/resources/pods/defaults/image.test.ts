import { expect, test } from 'vitest';
import { pullPolicyOf, tagOf } from '../../../../src/resources/pods/defaults/image.ts';

const digest = `sha256:${'0'.repeat(64)}`;

test.each([
  ['web', 'latest'],
  ['web:1.2', '1.2'],
  ['a/b/c', 'latest'],
  ['localhost:5000/web', 'latest'],
  ['localhost:5000/web:x', 'x'],
  ['[fd00::1]:5000/web:x', 'x'],
  ['Registry/web', 'latest'],
  [`web@${digest}`, undefined],
  [`web:x@${digest}`, 'x'],
  ['Web', undefined],
  ['a b', undefined],
  ['', undefined],
  ['web:', undefined],
  ['a'.repeat(64), undefined],
  [`images.example.com/${'a'.repeat(250)}`, undefined],
])('%s', (image, tag) => expect(tagOf(image)).toBe(tag));

test('the latest is always pulled', () => {
  expect([pullPolicyOf('web'), pullPolicyOf('web:latest'), pullPolicyOf('web:1')]).toEqual(['Always', 'Always', 'IfNotPresent']);
});
