/** Replaces the values in kubectl's output that a server chooses itself. */
export function normaliseOutput(text: string, url: string): string {
  const orderedText = text.startsWith('{') ? sortKeys(text) : text;
  const replacedText = REPLACEMENTS.reduce(
    (result, [pattern, label]) => result.replaceAll(pattern, label),
    orderedText.replaceAll(url, '<server>'),
  );
  return replacedText
    .split('\n')
    .map((line) => line.replaceAll(/(?<=\S) {2,}/g, '  ').trimEnd())
    .join('\n')
    .trim();
}

/** Sorts the keys of a served document, because their order has no meaning. */
function sortKeys(text: string): string {
  const sortValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sortValue);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => [key, sortValue(item)]),
    );
  };
  try {
    return JSON.stringify(sortValue(JSON.parse(text)));
  } catch {
    return text;
  }
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/(resourceVersion: )"\d+"/g, '$1"<rv>"'],
  [/(\bresourceVersion\\*": ?\\*")\d+/g, '$1<rv>'],
  [/(Resource Version: +)\d+/g, '$1<rv>'],
  [/\b10\.96\.\d+\.\d+\b/g, '<IPv4>'],
  [/fd00:10:96::[0-9a-f:]+/g, '<IPv6>'],
  [/(?<=\s|^|:)3[0-2]\d{3}(?=\/|\s|$)/g, '<node port>'],
  [/(?<=[\s(]|^)(?:<invalid>|(?:\d+[smhdy])+)(?=\s|$|\))/gm, '<age>'],
  // Names that a controller or kubectl generates, the progress of a rollout, and tokens.
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<random>'],
  [/^Waiting for .*$/gm, ''],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1'],
  [/^(?:---|\+\+\+) (\/tmp\/\S+)\s.*$/gm, '$1'],
  [/\/tmp\/kubectl-edit-\S+/g, '<file>'],
  [/(v\d+\.\d+\.\d+)\+kube-endpoints/g, '$1'],
  [/127\.0\.0\.1:\d+/g, '<server>'],
  [/^.*WARNING: version difference between client.*$/gm, ''],
];
