import type { DnsAnswer, DnsQuestion, DnsReply } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../controllers/test/queue/clock.ts';
import { type DnsServerOptions, defaultDnsLimits, validateDnsOptions } from '../src/options.ts';
import { createResponder, resolveOutside } from '../src/responder.ts';
import type { DnsServerEvent, Sender } from '../src/server-event.ts';
import {
  answerFromTestZone,
  answerOf,
  createARecord,
  type DecodedMessage,
  decodeMessage,
  encodeQuery,
  replyOf,
  webName,
} from './support.ts';

const udpSender: Sender = { transport: 'udp', address: '10.0.0.9' };
const tcpSender: Sender = { transport: 'tcp', address: '10.0.0.9' };

function startResponder(options: Partial<DnsServerOptions> = {}) {
  const events: DnsServerEvent[] = [];
  const settings = validateDnsOptions({ answer: answerFromTestZone, onEvent: (event) => void events.push(event), ...options });
  const { respond } = createResponder(settings);
  const { signal } = new AbortController();
  return {
    events,
    /** Returns the only message of the response. */
    async ask(packet: Uint8Array, sender = udpSender): Promise<DecodedMessage> {
      const [message, ...more] = await respond(packet, sender, signal);
      expect(more).toEqual([]);
      return decodeMessage(message as Uint8Array);
    },
    sendPacket: async (packet: Uint8Array, sender = udpSender) => [...(await respond(packet, sender, signal))],
  };
}

describe('a query for a name in the zone', () => {
  test('is answered', async () => {
    const { ask, events } = startResponder();
    const message = await ask(encodeQuery());
    expect(message).toMatchObject({ rcode: 'NOERROR', flag_aa: true, answers: [{ type: 'A', data: '10.0.0.1', ttl: 5 }] });
    expect(events).toEqual([{ kind: 'answered', transport: 'udp', type: 'A', rcode: 'NOERROR', bytes: 60, truncated: false }]);
  });

  test('with unusual bytes in its name reaches the zone with escapes', async () => {
    const receivedQuestions: DnsQuestion[] = [];
    const answer = (question: DnsQuestion) => {
      receivedQuestions.push(question);
      return answerOf(replyOf({ rcode: 'NXDOMAIN' }));
    };
    const packet = Buffer.concat([encodeQuery().subarray(0, 12), Buffer.from([3, 0x61, 0x2e, 0, 0, 0, 28, 0, 1])]);
    const { ask } = startResponder({ answer });
    expect((await ask(packet)).rcode).toBe('NXDOMAIN');
    expect(receivedQuestions).toEqual([{ name: 'a\\.\\000.', type: 'AAAA' }]);
  });

  test('is answered with SERVFAIL until the zone is ready; other names are still refused', async () => {
    const { ask } = startResponder({ ready: () => false });
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
    expect((await ask(encodeQuery('A', { name: 'example.com' }))).rcode).toBe('REFUSED');
  });

  test('is answered with SERVFAIL if the zone throws, and the failure is reported', async () => {
    const error = new Error('failed');
    const { ask, events } = startResponder({
      answer() {
        throw error;
      },
    });
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
    expect(events[0]).toEqual({ kind: 'failed', what: 'answer', error });
  });

  test.each(['ready', 'revision'] as const)('is answered with SERVFAIL if %s throws', async (name) => {
    let fails = false;
    const fail = (): never => {
      throw new Error('failed');
    };
    const { ask, events } = startResponder({
      revision: () => (fails && name === 'revision' ? fail() : 1),
      ready: () => !fails || name !== 'ready' || fail(),
    });
    fails = true;
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
    expect(events[0]).toMatchObject({ kind: 'failed', what: 'answer' });
  });

  test('is answered with SERVFAIL if a record cannot be encoded', async () => {
    const { ask } = startResponder({ answer: () => answerOf(replyOf({ answer: [createARecord(webName, 'invalid')] })) });
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
  });
});

describe('the size of an answer is limited', () => {
  const answer = () => answerOf(replyOf({ answer: Array.from({ length: 200 }, (_, i) => createARecord(webName, `10.0.0.${i}`)) }));
  test.each<[string, number | undefined, Sender, number, boolean]>([
    ['over UDP without EDNS', undefined, udpSender, 512, true],
    ['to a client that announces less than 512 bytes', 100, udpSender, 512, true],
    ['to a client that announces 1,000 bytes', 1000, udpSender, 1000, true],
    ['to a client that announces more than the limit of the server', 4096, udpSender, 1232, true],
    ['over TCP', 512, tcpSender, 4000, false],
  ])('%s', async (_, payload, sender, max, truncated) => {
    const [message] = await startResponder({ answer }).sendPacket(encodeQuery('A', payload === undefined ? {} : { payload }), sender);
    expect(message?.length).toBeLessThanOrEqual(max);
    expect(message?.length).toBeGreaterThan(max - 900);
    expect(decodeMessage(message as Uint8Array).flag_tc).toBe(truncated);
  });
});

describe('a CNAME that leads outside of the zone', () => {
  const alias = { name: webName, ttl: 5, type: 'CNAME', target: 'example.com.' } as const;
  const outside = { name: 'example.com.', type: 'A' };
  const answer = () => answerOf(replyOf({ answer: [alias] }), outside);

  test('is resolved, and the result follows the CNAME', async () => {
    const outsideReply = replyOf({ answer: [createARecord('example.com.', '192.0.2.1', 30)] });
    const receivedQuestions: DnsQuestion[] = [];
    const resolver = {
      async resolve(question: DnsQuestion) {
        receivedQuestions.push(question);
        return outsideReply;
      },
    };
    const { ask } = startResponder({ answer, resolver });
    expect((await ask(encodeQuery())).answers).toMatchObject([
      { type: 'CNAME', data: 'example.com' },
      { type: 'A', data: '192.0.2.1' },
    ]);
    expect(receivedQuestions).toEqual([outside]);
  });

  test.each<[string, Partial<DnsServerOptions>]>([
    ['there is no resolver', {}],
    ['the resolver fails', { resolver: { resolve: () => Promise.reject(new Error('late')) } }],
  ])('is answered with only the CNAME if %s', async (_, options) => {
    const { ask } = startResponder({ answer, ...options });
    expect(await ask(encodeQuery())).toMatchObject({ rcode: 'NOERROR', answers: [{ type: 'CNAME' }] });
  });

  test('is resolved for each of several targets, without the targets that fail', async () => {
    const alias = (target: string) => ({ name: webName, ttl: 5, type: 'CNAME', target }) as const;
    const [first, second, third] = ['one.example.', 'two.example.', 'three.example.'] as const;
    const answerSeveral = () => ({
      ...answerOf(replyOf({ answer: [first, second, third].map(alias) }), { name: first, type: 'A' }),
      alsoOutside: [second, third].map((name) => ({ name, type: 'A' })),
    });
    const resolver = {
      async resolve({ name }: DnsQuestion) {
        if (name === second) throw new Error('failed');
        return replyOf({ answer: [createARecord(name, '192.0.2.1')] });
      },
    };
    const { ask } = startResponder({ answer: answerSeveral, resolver });
    const names = (await ask(encodeQuery())).answers.map(({ name, type }) => `${name} ${type}`);
    const cname = `${webName.slice(0, -1)} CNAME`;
    expect(names).toEqual([cname, 'one.example A', cname, cname, 'three.example A']);
  });

  test('is answered with SERVFAIL while too many lookups are open', async () => {
    const openReplies: (() => void)[] = [];
    const resolver = { resolve: () => new Promise<never>((_, reject) => openReplies.push(() => reject(new Error('failed')))) };
    const { ask, events } = startResponder({ answer, resolver, limits: { open: 2 } });
    const openQueries = [ask(encodeQuery()), ask(encodeQuery())];
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
    expect(events.map(({ kind }) => kind)).toContain('dropped');
    for (const failReply of openReplies) failReply();
    await Promise.all(openQueries);
    const nextReply = ask(encodeQuery());
    openReplies.at(-1)?.();
    expect((await nextReply).rcode).toBe('NOERROR');
  });
});

describe('a query for a name in another zone', () => {
  const exampleQuery = encodeQuery('MX', { name: 'example.com' });

  test('is refused without a forwarder', async () => {
    expect(await startResponder().ask(exampleQuery)).toMatchObject({ rcode: 'REFUSED', flag_ra: false });
  });

  test('is forwarded unchanged, and the response is returned unchanged', async () => {
    const forwardedQueries: unknown[] = [];
    const { sendPacket, events } = startResponder({
      async forward(packet, transport) {
        forwardedQueries.push(Buffer.from(packet), transport);
        return Uint8Array.of(1, 2, 3);
      },
    });
    expect(await sendPacket(exampleQuery, tcpSender)).toEqual([Uint8Array.of(1, 2, 3)]);
    expect(forwardedQueries).toEqual([exampleQuery, 'tcp']);
    expect(events).toEqual([{ kind: 'forwarded', transport: 'tcp', type: 'MX', failed: false }]);
  });

  test('is answered with SERVFAIL if forwarding fails', async () => {
    const { ask, events } = startResponder({ forward: () => Promise.reject(new Error('unreachable')) });
    expect(await ask(exampleQuery)).toMatchObject({ rcode: 'SERVFAIL', flag_ra: true });
    expect(events[0]).toMatchObject({ kind: 'forwarded', failed: true });
  });

  test('is not forwarded if the client does not request recursion', async () => {
    const { ask } = startResponder({ forward: () => expect.unreachable() });
    expect((await ask(encodeQuery('MX', { name: 'example.com', recursion: false }))).rcode).toBe('REFUSED');
  });
});

describe('a packet that is not a query', () => {
  test('is refused with FORMERR if it has a header', async () => {
    const { ask, events } = startResponder();
    expect(await ask(encodeQuery().subarray(0, 12))).toMatchObject({ rcode: 'FORMERR', id: 0x1234, questions: [] });
    expect(events).toMatchObject([{ kind: 'answered', type: '-', rcode: 'FORMERR' }]);
  });

  test('is dropped if it has no header or is a response', async () => {
    const { sendPacket, events } = startResponder();
    const answer = encodeQuery('A', { type: 'response' });
    expect([...(await sendPacket(Uint8Array.of(1))), ...(await sendPacket(answer))]).toEqual([]);
    expect(events).toEqual([
      { kind: 'dropped', transport: 'udp', reason: 'short' },
      { kind: 'dropped', transport: 'udp', reason: 'response' },
    ]);
  });
});

describe('a cached answer', () => {
  const countingResponder = (options: Partial<DnsServerOptions> = {}) => {
    const receivedQuestions: DnsQuestion[] = [];
    const answer = (question: DnsQuestion) => {
      receivedQuestions.push(question);
      return answerFromTestZone(question);
    };
    return { receivedQuestions, ...startResponder({ answer, ...options }) };
  };

  test('is sent again without calling the zone, and is reported as usual', async () => {
    const { receivedQuestions, sendPacket, events } = countingResponder({ revision: () => 1 });
    const [first] = await sendPacket(encodeQuery());
    const [second] = await sendPacket(encodeQuery());
    expect(receivedQuestions).toHaveLength(1);
    expect(second).toEqual(first);
    expect(events[1]).toEqual(events[0]);
  });

  test('is not used without a revision, after a new revision, or over TCP', async () => {
    let revision = 1;
    const withoutRevision = countingResponder();
    for (let i = 0; i < 2; i++) await withoutRevision.ask(encodeQuery());
    expect(withoutRevision.receivedQuestions).toHaveLength(2);
    const { receivedQuestions, ask } = countingResponder({ revision: () => revision });
    await ask(encodeQuery());
    revision = 2;
    await ask(encodeQuery());
    await ask(encodeQuery(), tcpSender);
    expect(receivedQuestions).toHaveLength(3);
  });

  test('is not sent while the zone is not ready', async () => {
    let ready = true;
    const { ask } = countingResponder({ revision: () => 1, ready: () => ready });
    expect((await ask(encodeQuery())).rcode).toBe('NOERROR');
    ready = false;
    expect((await ask(encodeQuery())).rcode).toBe('SERVFAIL');
  });
});

const questions: readonly DnsQuestion[] = ['a.', 'b.', 'c.'].map((name) => ({ name, type: 'A' }));
const [outside, ...alsoOutside] = questions;
const answer: DnsAnswer = { ...answerOf(replyOf(), outside), alsoOutside };
const foundReply = ({ name }: DnsQuestion): DnsReply => replyOf({ answer: [createARecord(name, '192.0.2.1')] });

function lookUp(
  resolve: (question: DnsQuestion, signal?: AbortSignal) => Promise<DnsReply>,
  limits: Partial<typeof defaultDnsLimits> = {},
) {
  const [clock, end, events] = [createClock(), new AbortController(), [] as DnsServerEvent[]];
  const onEvent = (event: DnsServerEvent): void => void events.push(event);
  const settings = { resolver: { resolve }, limits: { ...defaultDnsLimits, ...limits }, clock, onEvent };
  return { clock, end, events, replies: resolveOutside(answer, settings, end.signal) };
}

test('resolveOutside resolves all names concurrently', async () => {
  const openReplies: (() => void)[] = [];
  const { replies, clock } = lookUp((question) => new Promise((resolve) => openReplies.push(() => resolve(foundReply(question)))));
  expect(openReplies).toHaveLength(3);
  for (const reply of openReplies.reverse()) reply();
  expect(await replies).toEqual(questions.map(foundReply));
  expect(clock.scheduled).toBe(0);
});

test('resolveOutside resolves no more names than the limit allows', async () => {
  const receivedQuestions: DnsQuestion[] = [];
  const resolve = async (question: DnsQuestion): Promise<DnsReply> => {
    receivedQuestions.push(question);
    return foundReply(question);
  };
  expect(await lookUp(resolve, { outside: 2 }).replies).toHaveLength(2);
  expect(receivedQuestions).toEqual(questions.slice(0, 2));
});

test('resolveOutside leaves out names without an answer in time, even if the resolver ignores the signal', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const unansweredReply = new Promise<DnsReply>(() => {});
  const { replies, clock, events } = lookUp((question, signal) => {
    signals.push(signal);
    return question.name === 'b.' ? Promise.resolve(foundReply(question)) : unansweredReply;
  });
  clock.advance(4999);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false]);
  clock.advance(1);
  expect(await replies).toEqual([undefined, foundReply({ name: 'b.', type: 'A' }), undefined]);
  const timeoutEvent = { kind: 'failed', what: 'outside', error: new Error('no answer within 5000 ms') };
  expect(events).toEqual([timeoutEvent, timeoutEvent]);
});

test('resolveOutside stops waiting when the server closes', async () => {
  const { replies, clock, end } = lookUp(() => new Promise<DnsReply>(() => {}));
  end.abort(new Error('closed'));
  expect(await replies).toEqual([undefined, undefined, undefined]);
  expect(clock.scheduled).toBe(0);
});
