import { describe, expect, it } from 'vitest';
import { ask, svc } from './ask.ts';
import { endpoint, externalName, headless, namespace, service, slice } from './cluster.ts';

const world = (...services: ReturnType<typeof service>[]) => ({ namespaces: [namespace('shop')], services });
const inZone = (name: string): string => `${name}.shop.svc.cluster.local`;

describe('names of names', () => {
  it('inside of the zone are followed', () => {
    const objects = world(service('web'), externalName('shop', inZone('web')));
    expect(ask(svc('shop.shop'), { objects }).answer).toEqual([
      'shop.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.',
      'web.shop.svc.cluster.local. 5 IN A 10.0.0.1',
    ]);
  });

  it('inside of the zone that have no such record come to nothing: not even the CNAME is told', () => {
    const objects = world(service('web'), externalName('shop', inZone('web')), externalName('lost', inZone('none')));
    for (const question of [svc('shop.shop AAAA'), svc('lost.shop')]) {
      expect(ask(question, { objects })).toMatchObject({ rcode: 'NOERROR', answer: [], code: 'ExternalNameHasNoRecord' });
    }
  });

  it('outside are left to the host, the CNAME alone being the answer until then', () => {
    const objects = world(externalName('docs', 'Docs.example.com'), externalName('manual', inZone('docs')));
    expect(ask(svc('manual.shop AAAA'), { objects })).toMatchObject({
      answer: [
        'manual.shop.svc.cluster.local. 5 IN CNAME docs.shop.svc.cluster.local.',
        'docs.shop.svc.cluster.local. 5 IN CNAME Docs.example.com.',
      ],
      outside: { name: 'Docs.example.com.', type: 'AAAA' },
    });
  });

  it('in another of the zones are answered from there', () => {
    const objects = world(
      service('web'),
      externalName('other', 'web.shop.svc.second.local'),
      externalName('back', 'docs.shop.svc.second.local'),
    );
    const config = { zones: ['cluster.local', 'second.local'], objects };
    expect(ask(svc('other.shop'), config)).toMatchObject({
      answer: ['other.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.second.local.', 'web.shop.svc.second.local. 5 IN A 10.0.0.1'],
      outside: undefined,
    });
  });

  it('that lead round in a circle come to nothing, in one zone and in two', () => {
    const circle = world(externalName('a', inZone('b')), externalName('b', inZone('a')));
    expect(ask(svc('a.shop'), { objects: circle }).answer).toEqual([]);
    const across = world(externalName('a', 'b.shop.svc.second.local'), externalName('b', inZone('a')));
    const answer = ask(svc('a.shop'), { objects: across, zones: ['cluster.local', 'second.local'] });
    expect(answer.rcode).toBe('NOERROR');
    expect(answer.answer.length).toBeLessThan(20);
  });

  it.each([
    ['1.12.0', 8],
    ['1.12.1', 11],
  ])('in %s make a chain of %i links', (release, links) => {
    const chain = (length: number) => {
      const names = Array.from({ length }, (_, i) => externalName(`n${i}`, inZone(i === length - 1 ? 'web' : `n${i + 1}`)));
      return ask(svc('n0.shop'), { objects: world(service('web'), ...names), release }).answer.length;
    };
    expect([chain(links), chain(links + 1)]).toEqual([links + 1, 0]);
  });

  it('that lead round in circles leave work for those that do not', () => {
    const circles = Array.from({ length: 50 }, (_, i) => [externalName(`a${i}`, inZone(`b${i}`)), externalName(`b${i}`, inZone(`a${i}`))]);
    const targets = [...circles.map((_, i) => inZone(`a${i}`)), inZone('web')];
    const objects = {
      ...world(headless('many'), service('web'), ...circles.flat()),
      endpointSlices: [
        slice(
          'many',
          targets.map((target) => endpoint(target)),
        ),
      ],
    };
    expect(ask(svc('many.shop'), { objects }).answer).toContain('web.shop.svc.cluster.local. 5 IN A 10.0.0.1');
  });

  it('may be many, and do not go on for ever', () => {
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
    expect(ask(svc('n0.shop'), { objects })).toMatchObject({ rcode: 'NOERROR', answer: [] });
  });

  it('outside may be several, where endpoints are names', () => {
    const targets = ['a.example.com', 'b.example.com', 'a.example.com'];
    const objects = {
      ...world(headless('far')),
      endpointSlices: [
        slice(
          'far',
          targets.map((name) => endpoint(name)),
        ),
      ],
    };
    const { answer, whole } = ask(svc('far.shop'), { objects });
    expect(answer).toHaveLength(3);
    expect([whole.outside, whole.alsoOutside]).toEqual([{ name: 'a.example.com.', type: 'A' }, [{ name: 'b.example.com.', type: 'A' }]]);
  });

  it('of a Service that has no address yet lead to the root, as there', () => {
    const objects = world(service('new', { clusterIP: null, clusterIPs: null }));
    expect(ask(svc('new.shop'), { objects })).toMatchObject({ answer: ['new.shop.svc.cluster.local. 5 IN CNAME .'] });
  });
});
