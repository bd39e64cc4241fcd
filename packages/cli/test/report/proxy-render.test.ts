import { formatIptables, formatNftables, iptablesRules, nftablesRules } from 'kube-endpoints/proxy';
import { expect, it } from 'vitest';
import { makeNodeView, makeSlice, makeWebService, node } from '../../../../test/proxy/iptables/fixtures.ts';
import { diffProxy, renderProxy } from '../../src/report/proxy-render.ts';

const style = { paint: (text: string) => text, width: undefined, wide: false };
const input = (count: number) => ({
  objects: {
    services: [makeWebService()],
    endpointSlices: [makeSlice(Array.from({ length: count }, (_, i) => ({ ip: `10.1.0.${i + 1}` })))],
  },
  node,
  version: '1.36',
});
const nodeView = makeNodeView(makeWebService(), [{ ip: '10.1.0.1' }]);

it('proxy render prints the text of each proxy mode', () => {
  const text = (mode: 'nftables' | 'iptables', jumps = true): string =>
    `${renderProxy(input(1), { mode, jumps }, 'IPv4').text(style).join('\n')}\n`;
  expect(text('iptables')).toBe(formatIptables(iptablesRules(nodeView, node, { version: '1.36' })));
  expect(text('iptables', false)).toBe(formatIptables(iptablesRules(nodeView, node, { version: '1.36' }), { jumps: false }));
  expect(text('nftables')).toBe(formatNftables(nftablesRules(nodeView, node, { version: '1.36' })));
});

it('proxy diff reports a difference only if the rules of the IP family differ', () => {
  for (const mode of ['nftables', 'iptables'] as const) {
    const unchangedReport = diffProxy(input(2), input(2), mode, 'IPv4');
    expect({ found: unchangedReport.hasFindings, text: unchangedReport.text(style) }).toEqual({ found: false, text: [] });
    const changedReport = diffProxy(input(2), input(3), mode, 'IPv4');
    expect(changedReport.hasFindings).toBe(true);
    expect(changedReport.text(style).join('\n')).toContain('10.1.0.3');
    expect(diffProxy(input(2), input(3), mode, 'IPv6').hasFindings).toBe(false);
  }
});
