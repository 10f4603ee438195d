import { kindOf } from './events.ts';

type Json = Readonly<Record<string, unknown>>;

/** What matchers of an event are tested against, from the other fields of the payload; null where there is nothing. */
export function targetFrom(event: string, payload: Json): string | null {
  switch (kindOf(event)?.target) {
    case 'tool':
      return asText(payload['tool_name']);
    case 'prompt':
      return asText(payload['message']);
    case 'path':
      return pathIn(payload['tool_input']) ?? null;
    case 'command':
      return commandIn(payload['tool_input']) ?? null;
    default:
      return null;
  }
}

/** The command of a shell tool's input. */
export function commandIn(input: unknown): string | undefined {
  const command = isObject(input) ? input['command'] : undefined;
  return typeof command === 'string' ? command : undefined;
}

/** The path in a file tool's input: the first of three names that holds a text that is not empty. */
export function pathIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const paths = [input['path'], input['file'], input['file_path']];
  return paths.find((path): path is string => typeof path === 'string' && path !== '');
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
