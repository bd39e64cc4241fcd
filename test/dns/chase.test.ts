import { describe, expect, it } from 'vitest';
import { endpoint, externalName, headless, namespace, service, slice } from './cluster.ts';
import { queryDns, svc } from './query.ts';

const objectsOf = (...services: ReturnType<typeof service>[]) => ({ namespaces: [namespace('shop')], services });
const inZone = (name: string): string => `${name}.shop.svc.cluster.local`;

describe('an external name', () => {
  it('in the zone is followed', () => {
    const objects = objectsOf(service('web'), externalName('shop', inZone('web')));
    expect(queryDns(svc('shop.shop'), { objects }).answer).toEqual([
      'shop.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.',
      'web.shop.svc.cluster.local. 5 IN A 10.0.0.1',
    ]);
  });

  it('in the zone without a record of the type has an empty answer, without the CNAME', () => {
    const objects = objectsOf(service('web'), externalName('shop', inZone('web')), externalName('lost', inZone('none')));
    for (const question of [svc('shop.shop AAAA'), svc('lost.shop')]) {
      expect(queryDns(question, { objects })).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ExternalNameHasNoRecord' });
    }
  });

  it('outside of the zones is returned as a CNAME, for the host to resolve', () => {
    const objects = objectsOf(externalName('docs', 'Docs.example.com'), externalName('manual', inZone('docs')));
    expect(queryDns(svc('manual.shop AAAA'), { objects })).toMatchObject({
      answer: [
        'manual.shop.svc.cluster.local. 5 IN CNAME docs.shop.svc.cluster.local.',
        'docs.shop.svc.cluster.local. 5 IN CNAME Docs.example.com.',
      ],
      outside: { name: 'Docs.example.com.', type: 'AAAA' },
    });
  });

  it('in another zone of the server is resolved there', () => {
    const objects = objectsOf(
      service('web'),
      externalName('other', 'web.shop.svc.second.local'),
      externalName('back', 'docs.shop.svc.second.local'),
    );
    const config = { zones: ['cluster.local', 'second.local'], objects };
    expect(queryDns(svc('other.shop'), config)).toMatchObject({
      answer: ['other.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.second.local.', 'web.shop.svc.second.local. 5 IN A 10.0.0.1'],
      outside: undefined,
    });
  });

  it('in a loop has an empty answer, within one zone and across two zones', () => {
    const loop = objectsOf(externalName('a', inZone('b')), externalName('b', inZone('a')));
    expect(queryDns(svc('a.shop'), { objects: loop }).answer).toEqual([]);
    const loopAcrossZones = objectsOf(externalName('a', 'b.shop.svc.second.local'), externalName('b', inZone('a')));
    const answer = queryDns(svc('a.shop'), { objects: loopAcrossZones, zones: ['cluster.local', 'second.local'] });
    expect(answer.rcode).toBe('NOERROR');
    expect(answer.answer.length).toBeLessThan(20);
  });

  it.each([
    ['1.12.0', 8],
    ['1.12.1', 11],
  ])('in CoreDNS %s can start a chain of %i links', (release, links) => {
    const chain = (length: number) => {
      const names = Array.from({ length }, (_, i) => externalName(`n${i}`, inZone(i === length - 1 ? 'web' : `n${i + 1}`)));
      return queryDns(svc('n0.shop'), { objects: objectsOf(service('web'), ...names), release }).answer.length;
    };
    expect([chain(links), chain(links + 1)]).toEqual([links + 1, 0]);
  });

  it('in a loop does not prevent the answer for other targets', () => {
    const loopPairs = Array.from({ length: 50 }, (_, i) => [
      externalName(`a${i}`, inZone(`b${i}`)),
      externalName(`b${i}`, inZone(`a${i}`)),
    ]);
    const targets = [...loopPairs.map((_, i) => inZone(`a${i}`)), inZone('web')];
    const objects = {
      ...objectsOf(headless('many'), service('web'), ...loopPairs.flat()),
      endpointSlices: [
        slice(
          'many',
          targets.map((target) => endpoint(target)),
        ),
      ],
    };
    expect(queryDns(svc('many.shop'), { objects }).answer).toContain('web.shop.svc.cluster.local. 5 IN A 10.0.0.1');
  });

  it('with many targets is answered in bounded time', () => {
    const names = Array.from({ length: 40 }, (_, i) => inZone(`n${i}`));
    const objects = {
      namespaces: [namespace('shop')],
      services: names.map((_, i) => headless(`n${i}`)),
      endpointSlices: names.map((_, i) =>
        slice(
          `n${i}`,
          names.map((name) => endpoint(name)),
        ),
      ),
    };
    expect(queryDns(svc('n0.shop'), { objects })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });

  it('outside of the zones can have several targets if endpoints are names', () => {
    const targets = ['a.example.com', 'b.example.com', 'a.example.com'];
    const objects = {
      ...objectsOf(headless('remote')),
      endpointSlices: [
        slice(
          'remote',
          targets.map((name) => endpoint(name)),
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

  it('a Service without an address has a CNAME to the root, as in CoreDNS', () => {
    const objects = objectsOf(service('new', { clusterIP: null, clusterIPs: null }));
    expect(queryDns(svc('new.shop'), { objects })).toMatchObject({ answer: ['new.shop.svc.cluster.local. 5 IN CNAME .'] });
  });
});
