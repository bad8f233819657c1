/**
 * An OpenID provider on loopback, which lets in whoever types a name and forgets all when it ends.
 *
 * node examples/sources/oidc-provider/provider.mjs PORT [SECONDS_OF_AN_ACCESS_TOKEN]
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [port, tokenSec = '60'] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}`;
const life = Number(tokenSec);

const client = (client_id, client_secret, more = {}) => ({
  client_id,
  client_secret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  ...more,
});

const provider = new Provider(url, {
  clients: [
    client('guard', 'a-secret-of-the-guard'),
    client('penstock', 'a-secret-of-penstock'),
    client('penstock-for-ada', 'a-secret-of-both', {
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${url}/done`],
      response_types: ['code'],
    }),
  ],
  scopes: ['openid', 'offline_access', 'stock.read'],
  features: {
    clientCredentials: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: (_context, asking) => asking.clientId === 'guard',
    },
  },
  // A refresh token is good for one use; a second takes all of its grant back.
  rotateRefreshToken: true,
  ttl: { AccessToken: life, ClientCredentials: life },
});

createServer(provider.callback()).listen(Number(port), '127.0.0.1');
