// Both clients of npm, unchanged: node personalizer_clients.cjs ENDPOINT KEY; prints what they got.
const [endpoint, key] = process.argv.slice(2);
const request = {
  contextFeatures: [{ hour: 7 }],
  actions: [
    { id: "a", features: [{ hot: true }] },
    { id: "b/ö", features: [{ hot: false }] },
  ],
  excludedActions: ["a"],
  deferActivation: true,
};

async function older() {
  const { PersonalizerClient } = require("@azure/cognitiveservices-personalizer");
  const { ApiKeyCredentials } = require("@azure/ms-rest-js");
  const credentials = new ApiKeyCredentials({ inHeader: { "Ocp-Apim-Subscription-Key": key } });
  const client = new PersonalizerClient(credentials, endpoint);
  // Of an endpoint with a path this client asks for nothing but that path: it needs the whole.
  client.baseUri = `${endpoint}/personalizer/v1.0`;
  const ranked = await client.rank({ ...request, eventId: "older/ö" });
  await client.events.activate(ranked.eventId);
  await client.events.reward(ranked.eventId, { value: 1 });
  const refused = await client.rank({ actions: [] }).catch((error) => error.body.error.code);
  return [ranked.rewardActionId, ranked.ranking, refused];
}

async function newer() {
  const create = require("@azure-rest/ai-personalizer").default;
  const client = create(endpoint, { key }, { allowInsecureConnection: true });
  const body = { ...request, eventId: "newer/ö" };
  const ranked = (await client.path("/rank").post({ body })).body;
  await client.path("/events/{eventId}/activate", ranked.eventId).post();
  await client.path("/events/{eventId}/reward", ranked.eventId).post({ body: { value: 1 } });
  const refused = (await client.path("/rank").post({ body: { actions: [] } })).body.error.code;
  return [ranked.rewardActionId, ranked.ranking, refused];
}

Promise.all([older(), newer()]).then((found) => console.log(JSON.stringify(found)));
