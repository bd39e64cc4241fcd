import type { DnsAnswer, DnsReply } from './answer.ts';
import { lowered } from './name.ts';

/**
 * The reply to the client, once what is outside has been looked up: after each CNAME that leads outside come the records found there.
 * Where the lookup failed or found nothing the CNAME stands alone, as it does in CoreDNS. A question that falls through has no reply of
 * its own: then it is the one that is handed in.
 *
 * @param reply to `answer.outside`; undefined where the lookup failed
 * @param others to `answer.alsoOutside`, in its order
 */
export function withOutside(answer: DnsAnswer, reply: DnsReply | undefined, ...others: readonly (DnsReply | undefined)[]): DnsReply {
  if (!answer.reply) return reply ?? failed;
  if (!answer.outside) return answer.reply;
  const questions = [answer.outside, ...(answer.alsoOutside ?? [])];
  const found = new Map(questions.map(({ name }, i) => [lowered(name), (i === 0 ? reply : others[i - 1])?.answer ?? []] as const));
  const records = answer.reply.answer.flatMap((record) =>
    record.type === 'CNAME' ? [record, ...(found.get(lowered(record.target)) ?? [])] : [record],
  );
  return { ...answer.reply, answer: records };
}

const failed: DnsReply = { rcode: 'SERVFAIL', authoritative: false, answer: [], authority: [], additional: [] };
