/**
 * Times a cluster's zone beside CoreDNS' kubernetes plugin, and the DNS server beside a UDP echo server.
 * Run: node conformance/bench/dns/run.ts [--only in-process|udp] [--release 1.14.3] [--small]
 */
import { parseArgs } from 'node:util';
import { leftOut, sized, smallOption } from '../size.ts';
import { inProcess } from './in-process.ts';
import { overUdp } from './udp.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    only: { type: 'string' },
    release: { type: 'string', default: '1.14.3' },
  },
});
const milliseconds = sized(300, 30);
const sizes = sized([10, 10_000], [10, 100]);

process.stdout.write(`Node ${process.version}; the best of five rounds in process, and of three turns over UDP\n${leftOut('CoreDNS')}\n`);
if (values.only !== 'udp') process.stdout.write(`${await inProcess(values.release, sizes, milliseconds)}\n\n`);
if (values.only !== 'in-process') process.stdout.write(`${await overUdp(sizes, 5 * milliseconds)}\n`);
