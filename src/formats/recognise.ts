import type { FormatEntry } from './format.ts';

/** Recognises a payload by the event that `field` names and by fields that only this agent sends; see `FormatEntry.recognise`. */
export function recogniseBy(
  field: string,
  events: readonly string[],
  ownFields: readonly string[],
): FormatEntry['recognise'] {
  return (payload) => {
    const name = payload[field];
    if (typeof name !== 'string' || !events.includes(name)) return { score: 0, seen: '' };
    const own = ownFields.filter((one) => Object.hasOwn(payload, one));
    return own.length === 0
      ? { score: 1, seen: `${field} is ${name}` }
      : { score: 2, seen: `${field} is ${name}, and there is ${own.join(', ')}` };
  };
}
