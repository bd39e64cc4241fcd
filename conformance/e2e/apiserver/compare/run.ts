import type { Counts } from '../parts.ts';
import { script } from '../script/script.ts';
import { connectTo } from '../target/http.ts';
import type { Target } from '../target/target.ts';
import { compareServers } from './compare.ts';
import { explainComparisons } from './explained.ts';
import { report } from './report.ts';

/** Sends the script, or the named topics, to both servers and prints the differences. */
export async function runComparison(real: Target, ours: Target, only: readonly string[] = []): Promise<Counts> {
  const topics = only.length === 0 ? script : script.filter(({ name }) => only.includes(name));
  const [realHttp, oursHttp] = [connectTo(real), connectTo(ours)];
  try {
    const verdict = explainComparisons(await compareServers(realHttp, oursHttp, topics));
    const { text, passed, failed } = report(only.length === 0 ? verdict : { ...verdict, unused: [] }, topics);
    console.log(text);
    return { passed, failed };
  } finally {
    realHttp.close();
    oursHttp.close();
  }
}
