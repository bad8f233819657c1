/** Whether the source answers at all, and lets this pipeline in. */
import type { Exchange } from '#adapters/http/page-source';
import type { Check, Finding, Observed } from '#cli/doctor/finding';
import { troubleOf } from '#cli/source/ask-patiently';
import { capital } from '#cli/render/text';
import type { PageAnswer } from '#ports/page-source';
import { urlToken } from './url-token.ts';

type Trouble = Pick<Finding, 'check' | 'field'> & { readonly helps: string };

const URL_FIELD = 'source.url';

export const checkReachable: Check = (seen) => {
  const { end } = seen.walk;
  if (end.kind !== 'no-page') return [];
  // Of a token that is none, the check of tokens tells.
  if (urlToken(seen) !== undefined) return [];
  const { helps, ...trouble } = troubleIn(end.answer, seen);
  const sentence = `${capital(troubleOf(end.answer))}; ${helps}.`;
  return [{ severity: 'error', ...trouble, sentence }];
};

type NoPage = Exclude<PageAnswer, { kind: 'page' }>;

function troubleIn(answer: NoPage, seen: Observed): Trouble {
  const { last, walk, settings } = seen;
  if (
    last === undefined &&
    settings.source.auth.kind === 'oauth2' &&
    !TIMED_OUT.test(troubleOf(answer))
  ) {
    return atTokenEndpoint(answer);
  }
  if (answer.kind === 'wait') {
    return { check: 'told-to-wait', field: 'schedule', helps: 'it allows no request now' };
  }
  if (last?.kind === 'broken' && answer.kind === 'unavailable') return brokenBy(last.code);
  if (answer.kind !== 'refused') return unavailable(answer, last);
  const status = last?.kind === 'answered' ? last.status : 0;
  if (answer.detail.endsWith('(source.pageSize)')) return LARGE;
  return walk.pages.length > 0
    ? laterPage(answer.detail, { ...seen, status })
    : (BY_STATUS[status] ?? NO_PAGE);
}

/** What is asked by its own credentials, at its own address, before the source is. */
function atTokenEndpoint(answer: NoPage): Trouble {
  const isClient = /invalid_client|status 401\b|secret/.test(troubleOf(answer));
  return isClient
    ? { ...AUTH, helps: 'look at the client’s id, its secret, and their variables' }
    : {
        check: 'token-endpoint',
        field: 'source.auth.tokenUrl',
        helps: 'without an access token the source is not asked',
      };
}

/** A page before it was answered: what was shown for it is good, and the address is right. */
function laterPage(
  detail: string,
  { status, walk: { pages }, options: { source } }: Observed & { readonly status: number },
): Trouble {
  const { kind } = source.pagination;
  const asked = `page ${pages.length + 1} was asked for`;
  if (status === 401 || status === 403) {
    return { ...AUTH, helps: `page ${pages.length} was answered: what is shown may end early` };
  }
  if (LOGIN_PAGE.test(detail)) {
    const helps = `page ${pages.length} was answered: a login may have ended`;
    return { check: 'no-page', field: 'source.auth', helps };
  }
  if (kind === 'page' || kind === 'offset') {
    const member = kind === 'page' ? 'pages' : 'total';
    return {
      check: 'end-refused',
      field: `source.pagination.${member}`,
      helps: `${asked}, and a run of this kind ends with an empty page: name in \`${member}\` where an answer says how many there are`,
    };
  }
  return {
    check: 'token-refused',
    field: kind === 'link' ? 'source.pagination.next' : 'source.pagination.param',
    helps: `${asked} with the token of the page before it`,
  };
}

/** In the words of `judgeFailure` and of what reads a body. */
const TIMED_OUT = /within \d+ ms$|not whole after \d+ ms$/;
const LOGIN_PAGE = /^the source answered HTML/;
const PAUSED = /paused for over \d+ ms$/;

function unavailable(answer: NoPage, last: Exchange | undefined): Trouble {
  const status = last?.kind === 'answered' ? last.status : 0;
  const down = { check: 'unavailable', field: null, helps: 'ask its operators, or again later' };
  if (status >= 500) return down;
  const check = 'no-answer';
  const said = troubleOf(answer);
  if (PAUSED.test(said)) {
    return { check, field: 'source.idleSec', helps: 'a longer pause may be right' };
  }
  return TIMED_OUT.test(said)
    ? { check, field: 'source.timeoutSec', helps: 'a smaller page may be faster' }
    : { ...down, check: 'broken-answer' };
}

const AUTH = { check: 'auth', field: 'source.auth', helps: 'look at the secret and its variable' };
const QUERY = { check: 'query', field: 'source.query', helps: 'a parameter is missing or wrong' };
const LARGE = {
  check: 'page-too-large',
  field: 'source.pageSize',
  helps: 'the smaller a page, the less a function holds at once',
};
const NO_PAGE = { check: 'no-page', field: URL_FIELD, helps: 'another address may be meant' };
const PLACE = { check: 'not-found', field: URL_FIELD, helps: 'another path is right' };

const BY_STATUS: Readonly<Record<number, Trouble>> = {
  400: QUERY,
  401: AUTH,
  403: AUTH,
  404: PLACE,
  410: PLACE,
  422: QUERY,
};

/** @source OpenSSL and Node.js, codes of certificates that are not accepted. */
const TLS = /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function brokenBy(code: string): Trouble {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { check: 'dns', field: URL_FIELD, helps: 'no such name is known' };
  }
  if (code === 'ECONNREFUSED') {
    return { check: 'connection', field: URL_FIELD, helps: 'nothing listens at that port' };
  }
  if (TLS.test(code)) {
    return {
      check: 'tls',
      field: URL_FIELD,
      helps: 'it speaks no TLS, or shows a certificate that is not trusted',
    };
  }
  return { check: 'connection', field: URL_FIELD, helps: 'nothing was answered' };
}
