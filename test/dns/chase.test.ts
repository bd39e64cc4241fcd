import { describe, expect, it } from 'vitest';
import { makeEndpoint, makeExternalNameService, makeHeadlessService, makeNamespace, makeService, makeSlice } from './cluster.ts';
import { queryDns, svc } from './query.ts';

const objectsOf = (...services: ReturnType<typeof makeService>[]) => ({ namespaces: [makeNamespace('shop')], services });
const inZone = (name: string): string => `${name}.shop.svc.cluster.local`;

describe('an external name', () => {
  it('in the zone is followed', () => {
    const objects = objectsOf(makeService('web'), makeExternalNameService('shop', inZone('web')));
    expect(queryDns(svc('shop.shop'), { objects }).answer).toEqual([
      'shop.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.',
      'web.shop.svc.cluster.local. 5 IN A 10.0.0.1',
    ]);
  });

  it('in the zone without a record of the type has an empty answer, without the CNAME', () => {
    const objects = objectsOf(
      makeService('web'),
      makeExternalNameService('shop', inZone('web')),
      makeExternalNameService('lost', inZone('none')),
    );
    for (const question of [svc('shop.shop AAAA'), svc('lost.shop')]) {
      expect(queryDns(question, { objects })).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ExternalNameHasNoRecord' });
    }
  });

  it('outside of the zones is returned as a CNAME, for the host to resolve', () => {
    const objects = objectsOf(makeExternalNameService('docs', 'Docs.example.com'), makeExternalNameService('manual', inZone('docs')));
    expect(queryDns(svc('manual.shop AAAA'), { objects })).toMatchObject({
      answer: [
        'manual.shop.svc.cluster.local. 5 IN CNAME docs.shop.svc.cluster.local.',
        'docs.shop.svc.cluster.local. 5 IN CNAME Docs.example.com.',
      ],
      outside: { name: 'Docs.example.com.', type: 'AAAA' },
    });
  });

  it('in a different zone of the server is resolved there', () => {
    const objects = objectsOf(
      makeService('web'),
      makeExternalNameService('other', 'web.shop.svc.second.local'),
      makeExternalNameService('back', 'docs.shop.svc.second.local'),
    );
    const config = { zones: ['cluster.local', 'second.local'], objects };
    expect(queryDns(svc('other.shop'), config)).toMatchObject({
      answer: ['other.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.second.local.', 'web.shop.svc.second.local. 5 IN A 10.0.0.1'],
      outside: undefined,
    });
  });

  it('in a loop has an empty answer within one zone, and a short answer across two zones', () => {
    const loop = objectsOf(makeExternalNameService('a', inZone('b')), makeExternalNameService('b', inZone('a')));
    expect(queryDns(svc('a.shop'), { objects: loop }).answer).toEqual([]);
    const loopAcrossZones = objectsOf(makeExternalNameService('a', 'b.shop.svc.second.local'), makeExternalNameService('b', inZone('a')));
    const answer = queryDns(svc('a.shop'), { objects: loopAcrossZones, zones: ['cluster.local', 'second.local'] });
    expect(answer.rcode).toBe('NOERROR');
    expect(answer.answer.length).toBeLessThan(20);
  });

  it.each([
    ['1.12.0', 8],
    ['1.12.1', 11],
  ])('in CoreDNS %s can start a chain of %i links', (release, links) => {
    const chain = (length: number) => {
      const names = Array.from({ length }, (_, i) => makeExternalNameService(`n${i}`, inZone(i === length - 1 ? 'web' : `n${i + 1}`)));
      return queryDns(svc('n0.shop'), { objects: objectsOf(makeService('web'), ...names), release }).answer.length;
    };
    expect([chain(links), chain(links + 1)]).toEqual([links + 1, 0]);
  });

  it('in a loop does not prevent the answer for other targets', () => {
    const loopPairs = Array.from({ length: 50 }, (_, i) => [
      makeExternalNameService(`a${i}`, inZone(`b${i}`)),
      makeExternalNameService(`b${i}`, inZone(`a${i}`)),
    ]);
    const targets = [...loopPairs.map((_, i) => inZone(`a${i}`)), inZone('web')];
    const objects = {
      ...objectsOf(makeHeadlessService('many'), makeService('web'), ...loopPairs.flat()),
      endpointSlices: [
        makeSlice(
          'many',
          targets.map((target) => makeEndpoint(target)),
        ),
      ],
    };
    expect(queryDns(svc('many.shop'), { objects }).answer).toContain('web.shop.svc.cluster.local. 5 IN A 10.0.0.1');
  });

  it('with many targets is answered in bounded time', () => {
    const names = Array.from({ length: 40 }, (_, i) => inZone(`n${i}`));
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: names.map((_, i) => makeHeadlessService(`n${i}`)),
      endpointSlices: names.map((_, i) =>
        makeSlice(
          `n${i}`,
          names.map((name) => makeEndpoint(name)),
        ),
      ),
    };
    expect(queryDns(svc('n0.shop'), { objects })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });

  it('outside of the zones can have several targets if endpoints are names', () => {
    const targets = ['a.example.com', 'b.example.com', 'a.example.com'];
    const objects = {
      ...objectsOf(makeHeadlessService('remote')),
      endpointSlices: [
        makeSlice(
          'remote',
          targets.map((name) => makeEndpoint(name)),
        ),
      ],
    };
    const { answer, dnsAnswer } = queryDns(svc('remote.shop'), { objects });
    expect(answer).toHaveLength(3);
    expect([dnsAnswer.outside, dnsAnswer.alsoOutside]).toEqual([
      { name: 'a.example.com.', type: 'A' },
      [{ name: 'b.example.com.', type: 'A' }],
    ]);
  });
});

it('a Service without an address has a CNAME to the root, as in CoreDNS', () => {
  const objects = objectsOf(makeService('new', { clusterIP: null, clusterIPs: null }));
  expect(queryDns(svc('new.shop'), { objects })).toMatchObject({ answer: ['new.shop.svc.cluster.local. 5 IN CNAME .'] });
});
