/**
 * Reads a query as Go does: what is no parameter is passed over, the others count. That is what has a semicolon in it, or a per cent
 * sign that stands for nothing. Mirrors url.ParseQuery, whose error Go's servers ignore.
 */
export function readQuery(search: string): URLSearchParams {
  if (!search.includes(';') && !broken.test(search)) return new URLSearchParams(search);
  const pairs = search.replace(/^\?/, '').split('&');
  return new URLSearchParams(pairs.filter((pair) => !pair.includes(';') && !broken.test(pair)).join('&'));
}

const broken = /%(?![0-9a-fA-F]{2})/;
