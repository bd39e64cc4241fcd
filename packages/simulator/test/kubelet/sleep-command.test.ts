import { expect, test } from 'vitest';
import { sleepSecondsOf } from '../../src/kubelet/index.ts';

test.each([
  [['sleep', '15'], 15],
  [['/bin/sleep', '2.5s'], 2.5],
  [['sh', '-c', 'sleep 15'], 15],
  [['/bin/bash', '-c', ' sleep  15 '], 15],
  [['/usr/bin/sleep', '0'], 0],
  [['sleep', '1m'], undefined],
  [['sh', '-c', 'sleep 15; nginx -s quit'], undefined],
  [['sh', '-c', 'sleep 15', 'name'], undefined],
  [['sh', '-x', 'sleep 15'], undefined],
  [['nginx', '-s', 'quit'], undefined],
  [['sleep'], undefined],
  [[], undefined],
])('%j sleeps for %s s', (command, seconds) => {
  expect(sleepSecondsOf({ exec: { command } })).toBe(seconds);
});

test('the action sleep, and others', () => {
  expect(sleepSecondsOf({ sleep: { seconds: 3 } })).toBe(3);
  expect(sleepSecondsOf({ httpGet: { path: '/stop', port: 80 } })).toBeUndefined();
  expect(sleepSecondsOf({})).toBeUndefined();
});
