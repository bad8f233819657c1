/**
 * A middleware for json-server: lets in who brings an access token for reading the stock, and asks
 * the provider at PROVIDER_URL about each.
 */
const asked = `Basic ${Buffer.from('guard:a-secret-of-the-guard').toString('base64')}`;

module.exports = async (request, response, next) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  try {
    const answer = await fetch(`${process.env.PROVIDER_URL}/token/introspection`, {
      method: 'POST',
      headers: { authorization: asked },
      body: new URLSearchParams({ token }),
    });
    const { active, scope = '' } = await answer.json();
    if (active && scope.split(' ').includes('stock.read')) next();
    else response.status(401).set('www-authenticate', 'Bearer error="invalid_token"').json({});
  } catch {
    response.status(503).json({ error: 'the provider does not answer' });
  }
};
