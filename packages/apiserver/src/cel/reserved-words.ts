/** Words that are no identifiers in expressions. Mirrors celReservedSymbols (apiserver/pkg/cel/escaping.go, 1.36). */
export const reservedWords: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);
