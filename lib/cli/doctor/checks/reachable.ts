/** Whether the source answers at all, and lets this pipeline in. */
import type { Exchange } from '#adapters/http/page-source';
import type { Check, Finding } from '#cli/doctor/finding';
import { troubleOf } from '#cli/source/ask-patiently';
import { capital } from '#cli/render/text';
import type { PageAnswer } from '#ports/page-source';

type Trouble = Pick<Finding, 'check' | 'field'> & { readonly helps: string };

const URL_FIELD = 'source.url';

export const checkReachable: Check = ({ walk: { pages, end }, exchanges }) => {
  if (end.kind !== 'no-page') return [];
  const { answer } = end;
  const { helps, ...trouble } =
    pages.length > 0 && answer.kind === 'refused'
      ? {
          check: 'token-refused',
          field: 'source.pagination.param',
          helps: `page ${pages.length + 1} was asked for with the token of the page before it`,
        }
      : troubleIn(answer, exchanges.at(-1));
  return [{ severity: 'error', ...trouble, sentence: `${capital(troubleOf(answer))}; ${helps}.` }];
};

function troubleIn(answer: PageAnswer, last: Exchange | undefined): Trouble {
  if (last?.kind === 'broken' && answer.kind === 'unavailable') return brokenBy(last.code);
  if (answer.kind === 'wait') {
    return { check: 'told-to-wait', field: 'schedule', helps: 'it allows no request now' };
  }
  const status = last?.kind === 'answered' ? last.status : 0;
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (answer.kind === 'refused') {
    return { check: 'no-page', field: URL_FIELD, helps: 'another address may be meant' };
  }
  return status >= 500
    ? { check: 'unavailable', field: null, helps: 'ask its operators, or again later' }
    : { check: 'no-answer', field: 'source.timeoutSec', helps: 'a smaller page may be faster' };
}

const AUTH = { check: 'auth', field: 'source.auth', helps: 'look at the secret and its variable' };
const QUERY = { check: 'query', field: 'source.query', helps: 'a parameter is missing or wrong' };
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
