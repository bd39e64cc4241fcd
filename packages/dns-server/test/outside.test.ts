import type { DnsAnswer, DnsQuestion, DnsReply } from 'kube-endpoints/dns';
import { expect, test } from 'vitest';
import { createClock } from '../../controllers/test/queue/clock.ts';
import type { DnsHappening } from '../src/happening.ts';
import { defaultDnsLimits } from '../src/options.ts';
import { lookUpOutside } from '../src/outside.ts';
import { a, answerOf, replyOf } from './support.ts';

const questions: readonly DnsQuestion[] = ['a.', 'b.', 'c.'].map((name) => ({ name, type: 'A' }));
const [outside, ...alsoOutside] = questions;
const answer: DnsAnswer = { ...answerOf(replyOf(), outside), alsoOutside };
const found = ({ name }: DnsQuestion): DnsReply => replyOf({ answer: [a(name, '192.0.2.1')] });

function lookUp(
  resolve: (question: DnsQuestion, signal?: AbortSignal) => Promise<DnsReply>,
  limits: Partial<typeof defaultDnsLimits> = {},
) {
  const [clock, end, told] = [createClock(), new AbortController(), [] as DnsHappening[]];
  const tell = (happening: DnsHappening): void => void told.push(happening);
  const settings = { resolver: { resolve }, limits: { ...defaultDnsLimits, ...limits }, clock, tell };
  return { clock, end, told, replies: lookUpOutside(answer, settings, end.signal) };
}

test('all names are looked up at the same time', async () => {
  const waiting: (() => void)[] = [];
  const { replies, clock } = lookUp((question) => new Promise((resolve) => waiting.push(() => resolve(found(question)))));
  expect(waiting).toHaveLength(3);
  for (const go of waiting.reverse()) go();
  expect(await replies).toEqual(questions.map(found));
  expect(clock.scheduled).toBe(0);
});

test('those beyond the limit are not', async () => {
  const asked: DnsQuestion[] = [];
  const resolve = async (question: DnsQuestion): Promise<DnsReply> => {
    asked.push(question);
    return found(question);
  };
  expect(await lookUp(resolve, { outside: 2 }).replies).toHaveLength(2);
  expect(asked).toEqual(questions.slice(0, 2));
});

test('what is not known in time is left out, also where the resolver does not heed the signal', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const never = new Promise<DnsReply>(() => {});
  const { replies, clock, told } = lookUp((question, signal) => {
    signals.push(signal);
    return question.name === 'b.' ? Promise.resolve(found(question)) : never;
  });
  clock.advance(4999);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false]);
  clock.advance(1);
  expect(await replies).toEqual([undefined, found({ name: 'b.', type: 'A' }), undefined]);
  const late = { kind: 'failed', what: 'outside', error: new Error('no answer within 5000 ms') };
  expect(told).toEqual([late, late]);
});

test('nothing is waited for once the server ends', async () => {
  const { replies, clock, end } = lookUp(() => new Promise<DnsReply>(() => {}));
  end.abort(new Error('the end'));
  expect(await replies).toEqual([undefined, undefined, undefined]);
  expect(clock.scheduled).toBe(0);
});
