/**
 * Compares the speed of a cluster's zone with that of CoreDNS' kubernetes plugin, and of the DNS server with that of a UDP echo server.
 * Run: node conformance/bench/dns/run.ts [--only in-process|udp] [--release 1.14.3] [--small]
 */
import { parseArgs } from 'node:util';
import { chooseBySize, skipNote, smallOption } from '../size.ts';
import { benchInProcess } from './in-process.ts';
import { benchUdp } from './udp.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    only: { type: 'string' },
    release: { type: 'string', default: '1.14.3' },
  },
});
const roundMilliseconds = chooseBySize(300, 30);
const serviceCounts = chooseBySize([10, 10_000], [10, 100]);

const rounds = `five rounds in process, and of ${chooseBySize('three rounds', 'one round')} over UDP`;
process.stdout.write(`Node ${process.version}; the best of ${rounds}\n${skipNote('CoreDNS')}\n`);
if (values.only !== 'udp') process.stdout.write(`${await benchInProcess(values.release, serviceCounts, roundMilliseconds)}\n\n`);
if (values.only !== 'in-process') process.stdout.write(`${await benchUdp(serviceCounts, 5 * roundMilliseconds)}\n`);
