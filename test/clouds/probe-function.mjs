/** Hands over what it is given to the test that waits for it; answers or fails as the test says. */
export async function handler(event) {
  const body = JSON.stringify(event);
  const answer = await fetch(process.env.PROBE_URL, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
