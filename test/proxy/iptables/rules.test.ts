import { expect, it } from 'vitest';
import { createNodeView, iptablesRules } from '../../../src/proxy/index.ts';
import { makeNodeView, makeSlice, makeWebService, node } from './fixtures.ts';

it('iptablesRules returns the rules of one address family only', () => {
  const dual = makeWebService({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd00:96::1'], ipFamilies: ['IPv4', 'IPv6'] });
  const objects = { services: [dual], endpointSlices: [makeSlice([{ ip: '10.1.0.1' }]), makeSlice([{ ip: 'fd00::7' }], 'IPv6')] };
  const texts = (['IPv4', 'IPv6'] as const).map((family) => JSON.stringify(iptablesRules(createNodeView(objects, node, { family }), node)));
  expect(texts[0]).toContain('10.96.0.1');
  expect(texts[0]).not.toContain('fd00');
  expect(texts[1]).toContain('--to-destination [fd00::7]:8080');
  expect(texts[1]).not.toContain('10.96.0.1');
});

it('iptablesRules returns plain data and does not change its input', () => {
  const nodeView = makeNodeView(makeWebService(), [{ ip: '10.1.0.1' }]);
  const before = structuredClone(nodeView);
  const first = iptablesRules(nodeView, node);
  expect(JSON.parse(JSON.stringify(first)).tables.nat[0]).toMatchObject({
    name: 'KUBE-SERVICES',
    rules: [
      {
        comment: 'shop/web:http cluster IP',
        match: '-m tcp -p tcp -d 10.96.0.1 --dport 80',
        target: expect.stringMatching(/^KUBE-SVC-/),
        options: '',
      },
      { target: 'KUBE-NODEPORTS' },
    ],
  });
  expect(nodeView).toEqual(before);
  expect(iptablesRules(nodeView, node)).toEqual(first);
});
