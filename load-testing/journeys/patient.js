// What the journeys need of JavaScript: a patient with a name of its own, and the headers.
'use strict';
const crypto = require('crypto');

function newPatient(context, events, done) {
  context.vars.family = 'Journey' + crypto.randomBytes(8).toString('hex');
  context.vars.patient = {
    resourceType: 'Patient',
    name: [{family: context.vars.family, given: ['Load']}],
    gender: 'other',
    birthDate: '1970-05-01',
  };
  return done();
}

function authorize(request, context, events, done) {
  request.headers = request.headers || {};
  request.headers['Accept'] = 'application/fhir+json';
  if (request.json) request.headers['Content-Type'] = 'application/fhir+json';
  if (process.env.ACCESS_TOKEN) request.headers['Authorization'] = 'Bearer ' + process.env.ACCESS_TOKEN;
  return done();
}

module.exports = {newPatient, authorize};
