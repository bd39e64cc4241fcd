/**
 * Compares a cluster's zone with CoreDNS' kubernetes plugin, and the DNS server with a UDP echo server.
 * Run: node conformance/bench/dns/run.ts [--only in-process|udp] [--release 1.14.3] [--small]
 */
import { parseArgs } from 'node:util';
import { sized, skipNote, smallOption } from '../size.ts';
import { benchInProcess } from './in-process.ts';
import { benchUdp } from './udp.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    only: { type: 'string' },
    release: { type: 'string', default: '1.14.3' },
  },
});
const milliseconds = sized(300, 30);
const sizes = sized([10, 10_000], [10, 100]);

process.stdout.write(`Node ${process.version}; the best of five rounds in process, and of three rounds over UDP\n${skipNote('CoreDNS')}\n`);
if (values.only !== 'udp') process.stdout.write(`${await benchInProcess(values.release, sizes, milliseconds)}\n\n`);
if (values.only !== 'in-process') process.stdout.write(`${await benchUdp(sizes, 5 * milliseconds)}\n`);
