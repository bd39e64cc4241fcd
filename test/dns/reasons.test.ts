import { describe, expect, it } from 'vitest';
import { answerQuestion, type DnsConfig, type DnsObjects, dnsReasons, explainAnswer, suggestRemedy } from '../../src/dns/index.ts';
import { dnsRemedies } from '../../src/dns/reasons.ts';
import { makeExternalNameService, makeHeadlessService, makeService, shopObjects } from './cluster.ts';

type Fixture = readonly [question: string, config?: DnsConfig & { readonly objects?: DnsObjects }];

/** A question for each reason. Names are relative to cluster.local unless they end with a dot. */
const fixtures: Readonly<Record<keyof typeof dnsReasons, Fixture>> = {
  ServiceAddress: ['web.shop.svc A'],
  HeadlessEndpoints: ['db.shop.svc A'],
  ServicePort: ['_sql._tcp.db.shop.svc SRV'],
  EndpointName: ['db-0.db.shop.svc A'],
  PodAddress: ['1-2-3-4.shop.pod A', { pods: 'insecure' }],
  PodVerified: ['10-1-0-1.shop.pod A', { pods: 'verified' }],
  ExternalName: ['docs.shop.svc A'],
  WildcardServices: ['*.shop.svc A', { release: '1.8' }],
  ReverseService: ['1.0.0.10.in-addr.arpa. PTR'],
  ReverseExternal: [
    '7.2.0.192.in-addr.arpa. PTR',
    { release: '1.8', objects: { services: [makeService('web', { externalIPs: ['192.0.2.7'] })] } },
  ],
  ReverseEndpoint: ['3.0.1.10.in-addr.arpa. PTR'],
  NameServer: ['ns.dns A', { localIPs: ['10.9.9.9'] }],
  SchemaVersion: ['dns-version TXT'],
  ZoneApex: [' SOA'],
  NoRecordOfType: ['db.shop.svc AAAA'],
  NameHasNoRecords: ['shop.svc A'],
  NoRecordAtApex: [' A'],
  ServiceHasNoPorts: ['bare.shop.svc SRV'],
  ExternalNameHasNoRecord: ['docs.shop.svc SRV'],
  ExternalNameIsItself: [
    'me.shop.svc A',
    { objects: { ...shopObjects, services: [makeExternalNameService('me', 'me.shop.svc.cluster.local')] } },
  ],
  TextHasNoRecord: ['web.shop.svc TXT'],
  TypeOnlyAtApex: ['web.shop.svc SOA'],
  NameServerUnknown: [' NS'],
  NamespaceNotFound: ['web.none.svc A'],
  NamespaceNotVisible: ['web.shop.svc A', { namespaces: ['back'] }],
  ServiceNotFound: ['none.shop.svc A'],
  PortNotFound: ['_none._tcp.web.shop.svc SRV'],
  EndpointNotFound: ['db-7.db.shop.svc A'],
  NoReadyEndpoints: ['idle.shop.svc A'],
  ServiceHasNoEndpoints: ['x.bare.shop.svc A'],
  ServiceIsEmpty: ['bare.shop.svc A', { ignoreEmptyService: true }],
  EndpointsNotServed: ['db.shop.svc A', { noEndpoints: true }],
  ExternalNameIsAddress: ['ip.shop.svc A', { objects: { ...shopObjects, services: [makeExternalNameService('ip', '192.0.2.1')] } }],
  ExternalNameHasNoLabels: ['x.docs.shop.svc A'],
  PodsDisabled: ['10-1-0-1.shop.pod A'],
  PodNotFound: ['10-1-0-99.shop.pod A', { pods: 'verified' }],
  PodNameInvalid: ['web-0.shop.pod A', { pods: 'insecure' }],
  AddressNotFound: ['99.0.0.10.in-addr.arpa. PTR'],
  TextNotFound: ['shop.svc TXT'],
  WildcardMatchesNothing: ['*.back.svc A', { release: '1.8' }],
  NameTooDeep: ['a.b.c.web.shop.svc A'],
  NameNotOfCluster: ['web.shop A'],
  NameIsReverse: ['web.shop.svc.10.in-addr.arpa. A', { zones: ['cluster.local', '10.in-addr.arpa'] }],
  NameServerHasNoAddress: [
    ' NS',
    {
      localIPs: ['10.1.0.1'],
      objects: { ...shopObjects, services: [makeService('web', { clusterIP: '', clusterIPs: [] }), makeHeadlessService('db')] },
    },
  ],
  NotInZone: ['example.com. A'],
  TransferRefused: [' AXFR'],
  NameMalformed: ['a..b A'],
};

describe.each(Object.entries(fixtures))('%s', (code, [question, { objects = shopObjects, ...config } = {}]) => {
  const [relative = '', type = ''] = question.split(' ');
  const name = relative.endsWith('.') ? relative : relative === '' ? 'cluster.local.' : `${relative}.cluster.local.`;
  const { reason } = answerQuestion({ name, type }, objects, config);

  it('is the reason for the answer', () => {
    expect(reason.code).toBe(code);
  });

  it('has an explanation and a remedy with all values filled in', () => {
    for (const sentence of [explainAnswer(reason), suggestRemedy(reason) ?? ''])
      expect(sentence).not.toMatch(/[{}]|undefined|(?<!or|, )\s$/);
  });
});

it('dnsReasons are complete sentences, and dnsRemedies has only codes of reasons', () => {
  for (const sentence of Object.values(dnsReasons)) expect(sentence).toMatch(/^[A-Z{].*(\.|\{target\}|\{zone\}|\{zones\})$/);
  expect(Object.keys(dnsReasons)).toEqual(expect.arrayContaining(Object.keys(dnsRemedies)));
});
