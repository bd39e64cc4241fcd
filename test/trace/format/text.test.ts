import { describe, expect, it } from 'vitest';
import { formatTrace, type Trace } from '../../../src/trace/index.ts';

const item = (label: string, ...codes: string[]) => ({
  id: label,
  label,
  notes: codes.map((code) => ({ code, message: 'It is so.', path: 'pod.status', remedy: 'Repair it.' })),
});
const trace: Trace = {
  target: 'web',
  outcome: 'unreachable',
  headline: 'web.shop:http in a few words',
  verdict: 'web reaches nothing: there is no endpoint.',
  steps: [
    { stage: 'name', title: 'Name web', outcome: 'ok', notes: [{ code: 'Asked', message: 'Asked.' }], chosen: [item('web.')], leftOut: [] },
    { stage: 'record', title: 'No record', outcome: 'skipped', notes: [], chosen: [], leftOut: [item('web.shop.', 'Gone')] },
  ],
};

describe('formatTrace', () => {
  it('prints the verdict first, then each step with its items and remedies', () => {
    expect(formatTrace(trace)).toEqual([
      'web reaches nothing: there is no endpoint.',
      'UNREACHABLE',
      '',
      '1. NAME  Name web  ok',
      '   Asked: Asked',
      '   > web.',
      '',
      '2. RECORD  No record  skipped',
      '   x web.shop.',
      '     Gone: It is so (pod.status)',
      '     Fix: Repair it.',
    ]);
  });

  it.each(['reached', 'degraded'] as const)('prints the outcome %s', (outcome) => {
    expect(formatTrace({ ...trace, outcome })[1]).toBe(outcome.toUpperCase());
  });

  it('limits the number of items unless wide is set', () => {
    const chosen = Array.from({ length: 12 }, (_, at) => item(`pod-${at}`));
    const longTrace: Trace = { ...trace, steps: [{ stage: 'pod', title: 'Pods', outcome: 'ok', notes: [], chosen, leftOut: [] }] };
    expect(formatTrace(longTrace).slice(-2)).toEqual(['   > pod-4', '   > and 7 more']);
    const leftOutTrace: Trace = { ...longTrace, steps: [{ ...longTrace.steps[0], chosen: [], leftOut: chosen } as Trace['steps'][0]] };
    expect(formatTrace(leftOutTrace).slice(-2)).toEqual(['   x pod-9', '   x and 2 more']);
    expect(formatTrace(longTrace, { paint: (text) => text, wide: true }).at(-1)).toBe('   > pod-11');
  });

  it('wraps at the given width, and applies the given colours', () => {
    const lines = formatTrace(trace, { paint: (text, colour) => (colour === 'red' ? `<${text}>` : text), width: 30 });
    expect(lines.slice(0, 4)).toEqual(['web reaches nothing: there is', 'no endpoint.', '<UNREACHABLE>', '']);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  });

  it('escapes control characters and bidirectional overrides', () => {
    const hostileTrace = { ...trace, verdict: 'a\u001b[2J\u202eb\n', steps: [] };
    expect(formatTrace(hostileTrace)[0]).toBe('a\\u001b[2J\\u202eb\\u000a');
  });
});
