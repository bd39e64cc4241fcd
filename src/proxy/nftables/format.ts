import {
  type NftablesChain,
  type NftablesCommand,
  type NftablesContainer,
  type NftablesElement,
  type NftablesRules,
  type NftablesTable,
  type NftablesTransaction,
  replaceTable,
  tableOf,
} from './model.ts';

/** Formats a script for `nft -f` that atomically replaces the whole table. */
export const formatNftables = (rules: NftablesRules): string => formatNftablesTransaction(replaceTable(rules));

/** Formats a script for `nft -f`, which applies the script atomically; "" if nothing changes. */
export function formatNftablesTransaction({ family, commands }: NftablesTransaction): string {
  const { family: nftFamily, name } = tableOf(family);
  const table = `${nftFamily} ${name}`;
  let script = '';
  for (const command of commands) script += `${formatCommand(command, table)}\n`;
  return script;
}

/** Lists one line per chain, set, map, rule and element, without the commands that replace the table. */
export const listNftables = (rules: NftablesRules): string[] => formatNftables(rules).trimEnd().split('\n').slice(2);

function formatCommand(command: NftablesCommand, table: string): string {
  switch (command.object) {
    case 'table':
      return command.verb === 'add' ? formatAddTable(command.table, table) : `delete table ${table}`;
    case 'chain':
      return command.verb === 'add' ? formatAddChain(command.chain, table) : `${command.verb} chain ${table} ${command.chain.name}`;
    case 'rule':
      return `add rule ${table} ${command.chain.name} ${command.rule.text}${formatComment(command.rule.comment)}`;
    case 'element':
      return `${command.verb} element ${table} ${command.container.name} { ${formatElement(command.element, command.verb)} }`;
    default: {
      const start = `${command.verb} ${command.object} ${table} ${command.container.name}`;
      return command.verb === 'add' ? `${start} ${formatContainerBody(command.container)}` : start;
    }
  }
}

const formatAddTable = ({ comment }: NftablesTable, table: string): string => `add table ${table} { comment "${comment}" ; }`;

function formatAddChain({ name, base, comment }: Omit<NftablesChain, 'rules'>, table: string): string {
  const body = [
    ...(base ? [`type ${base.type} hook ${base.hook} priority ${base.priority} ;`] : []),
    ...(comment === undefined ? [] : [`comment "${comment}" ;`]),
  ];
  return `add chain ${table} ${name}${body.length === 0 ? '' : ` { ${body.join(' ')} }`}`;
}

function formatContainerBody({ type, flags, timeoutSeconds, comment }: NftablesContainer): string {
  const body = [
    `type ${type} ;`,
    ...(flags ? [`flags ${flags.join(',')} ;`] : []),
    ...(timeoutSeconds === undefined ? [] : [`timeout ${timeoutSeconds}s ;`]),
    ...(comment === undefined ? [] : [`comment "${comment}" ;`]),
  ];
  return `{ ${body.join(' ')} }`;
}

/** Formats an element; to delete, its key alone. */
function formatElement({ key, value, comment }: NftablesElement, verb: 'add' | 'delete'): string {
  if (verb === 'delete') return key;
  return `${key}${formatComment(comment)}${value === undefined ? '' : ` : ${value}`}`;
}

const formatComment = (comment: string | undefined): string => (comment === undefined ? '' : ` comment "${comment}"`);
