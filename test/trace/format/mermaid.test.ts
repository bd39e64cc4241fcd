import { describe, expect, it } from 'vitest';
import { formatMermaid, type Trace } from '../../../src/trace/index.ts';

const empty = { notes: [], chosen: [], leftOut: [] };
const trace: Trace = {
  target: 'web',
  outcome: 'degraded',
  headline: 'web.shop:http in a few words',
  verdict: 'web reaches 1 endpoint; "web-2" is not ready.',
  steps: [
    { stage: 'name', title: 'Name web', outcome: 'ok', ...empty },
    {
      stage: 'endpoints',
      title: 'Endpoints',
      outcome: 'warning',
      notes: [
        { code: 'A', message: 'Worth knowing.' },
        { code: 'B', message: 'Behind.', remedy: 'Repair it.' },
      ],
      chosen: [{ id: 'pod/shop/web-1', label: 'web-1 10.0.0.1:80', notes: [] }],
      leftOut: [{ id: 'pod/shop/web-2', label: 'web-2', notes: [{ code: 'NotReady', message: 'Not ready.' }] }],
    },
  ],
};

describe('formatMermaid', () => {
  it('draws the steps in order, with their chosen and left-out items', () => {
    const lines = formatMermaid(trace).split('\n');
    expect(lines.filter((line) => !line.includes('classDef'))).toEqual([
      'flowchart TD',
      '  verdict["web reaches 1 endpoint#59; #34;web-2#34; is not ready."]:::degraded',
      '  verdict --> s1',
      '  s1["name: Name web<br/>(ok)"]:::ok',
      '  s1 --> s2',
      '  s2["endpoints: Endpoints<br/>(warning)<br/>Behind."]:::warning',
      '  s2 --- s2c1(["web-1 10.0.0.1:80"])',
      '  s2 -.-x s2x1["web-2: NotReady"]:::out',
      '',
    ]);
    for (const name of ['ok', 'warning', 'error', 'skipped', 'out', 'reached', 'degraded', 'unreachable'])
      expect(lines.filter((line) => line.startsWith(`  classDef ${name} `))).toHaveLength(1);
  });

  it('limits the number of items, and counts the rest', () => {
    const chosen = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, label: `pod-${at}`, notes: [] }));
    const text = formatMermaid({ ...trace, steps: [{ stage: 'pod', title: 'Pods', outcome: 'ok', ...empty, chosen }] });
    expect(text).toContain('s1c8(["pod-7"])');
    expect(text).toContain('s1c9(["and 2 more"])');
    expect(text).not.toContain('pod-8');
  });

  it('escapes Mermaid syntax in texts', () => {
    const text = formatMermaid({ ...trace, steps: [], verdict: '"]; click <b>`x`\n%% end' });
    expect(text.split('\n')[1]).toBe('  verdict["#34;#93;#59; click #60;b#62;#96;x#96;#10;#37;#37; end"]:::degraded');
  });
});
