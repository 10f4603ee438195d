/** Loaded only when a text did not parse: what is wrong with it, and where, in the same words on every JavaScript engine. */

import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { positionAt } from './json-text.ts';

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unknown word',
  InvalidNumberFormat: 'a number that is none',
  PropertyNameExpected: 'a property name in double quotes is expected (a trailing comma?)',
  ValueExpected: 'a value is expected (a trailing comma?)',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing } is expected',
  CloseBracketExpected: 'a closing ] is expected',
  EndOfFileExpected: 'something follows the end of the document',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'a \\u escape that is none',
  InvalidEscapeCharacter: 'an escape that JSON does not know',
  InvalidCharacter: 'a control character inside a string',
};

/** Why a text is not JSON, with the 1-based place of the first fault where it can be told. */
export function whyNotJson(text: string, comments: boolean): { why: string; line?: number; column?: number } {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: !comments, allowTrailingComma: false });
  } catch {
    // It recurses, so a text some thousand levels deep overflows the stack.
    return { why: 'it is nested too deeply' };
  }
  const first = errors[0];
  if (first === undefined) return { why: 'it does not parse' };
  if (text.trim() === '') return { why: 'it is empty' };
  return { why: words[printParseErrorCode(first.error)] ?? 'it does not parse', ...positionAt(text, first.offset) };
}
