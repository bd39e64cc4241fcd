import type { Checks } from './checks.ts';
import { type DigResult, dig, digAll, linesOf } from './dig.ts';

const SOA = /^cluster\.local\. 5 IN SOA ns\.dns\.cluster\.local\. hostmaster\.cluster\.local\. \d+ 7200 1800 86400 5$/;

/** Number of endpoints of the Service "many". */
const manyCount = 200;

interface ExpectedAnswer {
  readonly status?: string;
  readonly answer?: readonly string[];
}

/** Questions and their records; no records means NXDOMAIN or NODATA, with the SOA. */
const questions: Readonly<Record<string, ExpectedAnswer>> = {
  'web.shop.svc.cluster.local A': { answer: ['web.shop.svc.cluster.local. 5 IN A 10.96.0.10'] },
  'WEB.Shop.svc.cluster.local A': { answer: ['WEB.Shop.svc.cluster.local. 5 IN A 10.96.0.10'] },
  'web.shop.svc.cluster.local AAAA': { answer: ['web.shop.svc.cluster.local. 5 IN AAAA fd00:96::a'] },
  '_http._tcp.web.shop.svc.cluster.local SRV': {
    answer: ['_http._tcp.web.shop.svc.cluster.local. 5 IN SRV 0 50 80 web.shop.svc.cluster.local.'],
  },
  '_dns._udp.web.shop.svc.cluster.local SRV': {
    answer: ['_dns._udp.web.shop.svc.cluster.local. 5 IN SRV 0 50 53 web.shop.svc.cluster.local.'],
  },
  'db.shop.svc.cluster.local A': { answer: ['db.shop.svc.cluster.local. 5 IN A 10.1.0.1', 'db.shop.svc.cluster.local. 5 IN A 10.1.0.2'] },
  'db-0.db.shop.svc.cluster.local A': { answer: ['db-0.db.shop.svc.cluster.local. 5 IN A 10.1.0.1'] },
  '10-1-0-2.db.shop.svc.cluster.local A': { answer: ['10-1-0-2.db.shop.svc.cluster.local. 5 IN A 10.1.0.2'] },
  'db-2.db.shop.svc.cluster.local A': { status: 'NXDOMAIN' },
  'down.shop.svc.cluster.local A': { status: 'NXDOMAIN' },
  'web.nowhere.svc.cluster.local A': { status: 'NXDOMAIN' },
  'web.shop.svc.cluster.local MX': {},
  'web.shop.svc.cluster.local TYPE65': {},
  'empty.svc.cluster.local A': {},
  'alias.shop.svc.cluster.local A': {
    answer: ['alias.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.', 'web.shop.svc.cluster.local. 5 IN A 10.96.0.10'],
  },
  'outside.shop.svc.cluster.local CNAME': { answer: ['outside.shop.svc.cluster.local. 5 IN CNAME example.com.'] },
  'dns-version.cluster.local TXT': { answer: ['dns-version.cluster.local. 28800 IN TXT "1.1.0"'] },
  '10.0.96.10.in-addr.arpa PTR': { answer: ['10.0.96.10.in-addr.arpa. 5 IN PTR web.shop.svc.cluster.local.'] },
  '1.0.1.10.in-addr.arpa PTR': { answer: ['1.0.1.10.in-addr.arpa. 5 IN PTR db-0.db.shop.svc.cluster.local.'] },
  '-x fd00:96::a': {
    answer: ['a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.9.0.0.0.0.d.f.ip6.arpa. 5 IN PTR web.shop.svc.cluster.local.'],
  },
  '10-3-0-1.shop.pod.cluster.local A': { answer: ['10-3-0-1.shop.pod.cluster.local. 5 IN A 10.3.0.1'] },
  '10-3-0-2.shop.pod.cluster.local A': { status: 'NXDOMAIN' },
};

/** Checks every record type, over UDP and over TCP. */
export async function checkRecords(port: number, checks: Checks): Promise<void> {
  const lines = Object.keys(questions);
  for (const transport of ['+notcp', '+tcp']) {
    const answers = await digAll(
      port,
      lines.map((line) => `${line} ${transport}`),
    );
    for (const [i, line] of lines.entries()) checkAnswer(`${line} ${transport}`, answers[i], questions[line] as ExpectedAnswer, checks);
  }
  await checkZone(port, checks);
}

function checkAnswer(
  label: string,
  result: DigResult | undefined,
  { status = 'NOERROR', answer = [] }: ExpectedAnswer,
  checks: Checks,
): void {
  checks.checkEqual(`${label}: status`, result?.status, status);
  checks.checkEqual(`${label}: answer`, [...(result?.answer ?? [])].sort(), [...answer].sort());
  checks.checkEqual(`${label}: authoritative`, result?.flags.includes('aa'), true);
  checks.checkEqual(
    `${label}: start of authority`,
    result?.authority.map((record) => SOA.test(record) || record.includes('.arpa.')),
    answer.length > 0 ? [] : [true],
  );
}

async function checkZone(port: number, checks: Checks): Promise<void> {
  const soa = await dig(port, 'cluster.local SOA');
  checks.checkEqual(
    'the start of authority',
    soa.answer.map((record) => SOA.test(record)),
    [true],
  );
  const ns = await dig(port, 'cluster.local NS');
  checks.checkEqual('name servers', ns.answer, ['cluster.local. 5 IN NS ns.dns.cluster.local.']);
  checks.checkEqual('addresses of name servers', ns.additional, ['ns.dns.cluster.local. 5 IN A 127.0.0.1']);
  const srv = await dig(port, '_pg._tcp.db.shop.svc.cluster.local SRV');
  const glue = srv.answer.map((record) => `${record.split(' ').at(-1)} 5 IN A`);
  checks.checkEqual('SRV records of endpoints', srv.answer.length, 2);
  checks.checkEqual(
    'additional addresses of SRV targets',
    [...srv.additional].map((record) => record.replace(/ [\d.]+$/, '')).sort(),
    glue.sort(),
  );
}

/** Checks packet sizes, truncation, EDNS, and refused requests. */
export async function checkPackets(port: number, checks: Checks): Promise<void> {
  const manyQuestion = 'many.shop.svc.cluster.local A';
  const smallReply = await dig(port, `${manyQuestion} +noedns +ignore`);
  checks.checkEqual(
    'without EDNS: truncated',
    [smallReply.flags.includes('tc'), smallReply.answer.length > 0, smallReply.answer.length < 40],
    [true, true, true],
  );
  const largeReply = await dig(port, `${manyQuestion} +bufsize=4096 +ignore`);
  checks.checkEqual(
    'with EDNS: more records',
    [largeReply.flags.includes('tc'), largeReply.answer.length > smallReply.answer.length],
    [true, true],
  );
  checks.checkEqual('the advertised EDNS size', /udp: (\d+)/.exec(largeReply.text)?.[1], '1232');
  const retriedReply = await dig(port, manyQuestion);
  checks.checkEqual(
    'complete over TCP',
    [retriedReply.answer.length, retriedReply.text.includes('retrying in TCP mode') || retriedReply.text.includes('(TCP)')],
    [manyCount, true],
  );
  checks.checkEqual('distinct addresses after the retry', new Set(retriedReply.answer).size, manyCount);
  const secure = await dig(port, 'web.shop.svc.cluster.local A +dnssec');
  checks.checkEqual('DNSSEC requested', [secure.status, /flags: do/.test(secure.text), secure.answer.length], ['NOERROR', true, 1]);
  const unsupportedReply = await dig(port, 'web.shop.svc.cluster.local A +edns=1 +noednsnegotiation');
  checks.checkEqual('an unsupported EDNS version', unsupportedReply.status, 'BADVERS');
  const cookie = await dig(port, 'web.shop.svc.cluster.local A +cookie +nsid +subnet=10.0.0.0/8 +padding=64');
  checks.checkEqual('EDNS options', [cookie.status, cookie.answer.length], ['NOERROR', 1]);
  const chaos = await dig(port, '-c CH version.bind TXT');
  checks.checkEqual('a class other than IN', chaos.status, 'REFUSED');
  const status = await dig(port, '+opcode=status web.shop.svc.cluster.local A');
  checks.checkEqual('an opcode other than QUERY', status.status, 'NOTIMP');
  const other = await dig(port, 'example.org A');
  checks.checkEqual('a name outside of the zone', other.status, 'REFUSED');
  const reusedReply = await dig(port, `${manyQuestion} +tcp +keepopen`);
  checks.checkEqual('a reused connection', reusedReply.answer.length, manyCount);
}

/** Checks allowed and refused zone transfers. */
export async function checkTransfers(allowedPort: number, refusedPort: number, checks: Checks): Promise<void> {
  for (const question of ['cluster.local AXFR', 'cluster.local IXFR=1 +tcp']) {
    const { text } = await dig(allowedPort, `${question} +noall +answer +onesoa`);
    const records = linesOf(text);
    checks.checkEqual(`${question}: begins with the SOA`, SOA.test(records[0] ?? ''), true);
    for (const record of [
      'web.shop.svc.cluster.local. 5 IN A 10.96.0.10',
      'outside.shop.svc.cluster.local. 5 IN CNAME example.com.',
      'long.shop.svc.cluster.local. 5 IN A 10.96.0.11',
    ]) {
      checks.checkEqual(`${question}: ${record}`, records.includes(record), true);
    }
    checks.checkEqual(
      `${question}: endpoints`,
      records.filter((record) => record.startsWith('many.shop.') && record.includes(' IN A ')).length,
      manyCount,
    );
    checks.checkEqual(
      `${question}: without records that no packet holds`,
      records.filter((record) => record.includes('ppp') || record.startsWith('far.')),
      [],
    );
    const deniedReply = await dig(refusedPort, question);
    checks.checkEqual(
      `${question}: refused by default`,
      deniedReply.text.includes('Transfer failed') || deniedReply.status === 'REFUSED',
      true,
    );
  }
  const udp = await dig(allowedPort, 'cluster.local IXFR=1 +notcp');
  checks.checkEqual('transfers over UDP are refused', [udp.text.includes('(UDP)'), linesOf(udp.text)], [true, []]);
  const { text } = await dig(allowedPort, 'shop.svc.cluster.local AXFR');
  checks.checkEqual('transfers of a name that is not a zone are refused', text.includes('Transfer failed'), true);
}
