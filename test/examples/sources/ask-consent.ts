/** Agrees in the place of a person with a browser, by the forms of oidc-provider. */
import { createHash, randomBytes } from 'node:crypto';

const CLIENT = { id: 'penstock-for-ada', secret: 'a-secret-of-both' };
const STEPS_MAX = 12;

/** Log in, consent, and exchange the code. @returns the refresh token. */
export async function refreshTokenOf(url: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const ask = new URLSearchParams({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: `${url}/done`,
    scope: 'openid offline_access stock.read',
    prompt: 'consent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const code = await browse(`${url}/auth?${ask.toString()}`);
  const answer = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: `${url}/done`,
    }),
  });
  const { refresh_token: token } = (await answer.json()) as { refresh_token?: string };
  if (token === undefined) throw new Error(`no refresh token: status ${answer.status}`);
  return token;
}

/** Follow redirects with their cookies, and fill in each form on the way. @returns the code. */
async function browse(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let place = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < STEPS_MAX; step++) {
    const code = new URL(place).searchParams.get('code');
    if (code !== null) return code;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form === undefined ? {} : { method: 'POST', body: form };
    const answer = await fetch(place, { ...body, headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await answer.text();
    const next = answer.headers.get('location');
    form = next === null ? formOf(page) : undefined;
    place = new URL(next ?? place, place).href;
  }
  throw new Error(`the provider asks on and on, at ${place}`);
}

function formOf(page: string): URLSearchParams {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  if (prompt === undefined) throw new Error(`no form: ${page.slice(0, 200)}`);
  return new URLSearchParams({ prompt, login: 'ada', password: 'anything' });
}
