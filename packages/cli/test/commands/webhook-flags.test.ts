import { describe, expect, test } from 'vitest';
import { runLine } from '../fake-io.ts';

describe('an invalid command line of webhook or override', () => {
  test.each([
    ['webhook --cert c --key k', "required option '--rules <FILE>' not specified"],
    ['webhook --rules r', 'give --cert and --key, or --self-signed DIR'],
    ['webhook --rules r --cert c', 'give --cert and --key, or --self-signed DIR'],
    ['webhook --rules r --self-signed d --key k', '--self-signed excludes --cert and --key'],
    ['webhook --rules r --self-signed d --in-cluster --context c', '--in-cluster excludes --kubeconfig and --context'],
    ['webhook --rules r --self-signed d --failure-policy ignore', 'Allowed choices are allow, deny'],
    ['webhook --rules r --self-signed d --timeout soon', 'give a duration'],
    ['webhook manifest', "required option '--service <NAME>' not specified"],
    ['webhook manifest --service w', 'give one of --ca FILE'],
    ['webhook manifest --service w --ca a --self-signed d', 'give one of --ca FILE'],
    ['webhook manifest --service w --ca a --all', '--all needs --rules FILE'],
    ['webhook manifest --service w --ca a --timeout 31s', 'give whole seconds from 1s to 30s'],
    ['webhook manifest --service w --ca a --timeout 1500ms', 'give whole seconds from 1s to 30s'],
    ['webhook manifest --service w --ca a --replicas 0', 'give a whole number from 1 to 999'],
    ['webhook manifest --service w --ca a --image i', '--image needs --all'],
    ['webhook manifest --service w --ca a --replicas 2', '--replicas needs --all'],
    ['webhook manifest --service w --ca a --port 1', '--port has no effect on webhook manifest, which uses only --rules, '],
    ['webhook manifest --service w --ca a --dns-name n', '--dns-name needs --self-signed'],
    ['webhook --rules r --cert c --key k --dns-name n', '--dns-name needs --self-signed'],
    ['webhook --rules r --self-signed d --metrics-host ::', '--metrics-host needs --metrics-port'],
    ['webhook --rules r --self-signed d -f x', '-f has no effect: webhook reads no objects'],
    ['override test', "required option '--rules <FILE>' not specified"],
    ['override test --rules r --at noon', 'give a valid time with a UTC offset'],
    ['override test --rules r --at 2026-13-01T00:00:00Z', 'give a valid time with a UTC offset'],
    ['override test --rules r --at 2026-07-01T00:00:00', 'give a valid time with a UTC offset'],
    ['override test --rules r', 'no input: give -f FILE'],
  ])('is refused with a message of one line: %s', async (line, message) => {
    const { code, stderr } = await runLine(line);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('webhook reports a --self-signed folder that cannot be written to', async () => {
  const { code, stderr } = await runLine('webhook --rules examples/overrides/rules.yaml --self-signed package.json/tls');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--self-signed package.json/tls cannot be written to') });
});
