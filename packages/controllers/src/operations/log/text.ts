/** A line of JSON as people read it: "12:34:56.789 info  written  controller=endpoints namespace=shop name=web writes=1". */
export function formatLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = String(time).slice('2026-01-31T'.length, -1);
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${formatValue(value)}`);
  return `${[clock, String(level).padEnd('error'.length), escaped(String(msg)), ...rest].join(' ')}\n`;
}

const formatValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:,+-]+$/.test(text) ? text : escaped(JSON.stringify(value));
};

/** What moves a terminal's cursor or reorders a line is written as an escape. */
const escaped = (text: string): string => text.replace(unprintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
