// Compiled from schema.ts by `npm run generate`. Do not edit.
"use strict";
export const protocolVersion = validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:protocol-version","type":"object","required":["version"],"properties":{"version":{"type":"string","pattern":"^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$","description":"MAJOR.MINOR.PATCH, three non-negative integers"},"changelog_url":{"type":"string"}}};
const func0 = Object.prototype.hasOwnProperty;
const pattern4 = new RegExp("^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:protocol-version" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.version !== undefined && func0.call(data, "version")){
let data0 = data.version;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err1 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.changelog_url !== undefined && func0.call(data, "changelog_url")){
if(typeof data.changelog_url !== "string"){
const err3 = {instancePath:instancePath+"/changelog_url",schemaPath:"#/properties/changelog_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"version":true,"changelog_url":true},"dynamicProps":false,"dynamicItems":false};

export const skillIndexShell = validate21;
const schema32 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:skill-index-shell","type":"object","required":["protocol","provider","skills"],"properties":{"protocol":{"type":"object","required":["version"],"properties":{"version":{"type":"string","pattern":"^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$","description":"MAJOR.MINOR.PATCH, three non-negative integers"},"changelog_url":{"type":"string"}}},"provider":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"url":{"type":"string"}}},"skills":{"type":"array","items":{}}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:skill-index-shell" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.protocol === undefined) || (!(func0.call(data, "protocol")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.provider === undefined) || (!(func0.call(data, "provider")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.skills === undefined) || (!(func0.call(data, "skills")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skills"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.protocol !== undefined && func0.call(data, "protocol")){
let data0 = data.protocol;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.version === undefined) || (!(func0.call(data0, "version")))){
const err3 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.version !== undefined && func0.call(data0, "version")){
let data1 = data0.version;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err4 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.changelog_url !== undefined && func0.call(data0, "changelog_url")){
if(typeof data0.changelog_url !== "string"){
const err6 = {instancePath:instancePath+"/protocol/changelog_url",schemaPath:"#/properties/protocol/properties/changelog_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.provider !== undefined && func0.call(data, "provider")){
let data3 = data.provider;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if((data3.name === undefined) || (!(func0.call(data3, "name")))){
const err8 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data3.name !== undefined && func0.call(data3, "name")){
if(typeof data3.name !== "string"){
const err9 = {instancePath:instancePath+"/provider/name",schemaPath:"#/properties/provider/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data3.url !== undefined && func0.call(data3, "url")){
if(typeof data3.url !== "string"){
const err10 = {instancePath:instancePath+"/provider/url",schemaPath:"#/properties/provider/properties/url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.skills !== undefined && func0.call(data, "skills")){
if(!(Array.isArray(data.skills))){
const err12 = {instancePath:instancePath+"/skills",schemaPath:"#/properties/skills/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"protocol":true,"provider":true,"skills":true},"dynamicProps":false,"dynamicItems":false};

export const skillIndexEntry = validate22;
const schema33 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:skill-index-entry","type":"object","required":["id","name","capability_type","description","descriptor_url","access","version"],"properties":{"id":{"type":"string","pattern":"^[^\\p{Cc}\\p{Cs}]{1,512}$","description":"1 to 512 Unicode characters without control characters"},"name":{"type":"string"},"capability_type":{"enum":["plugin","api","knowledge","task"]},"description":{"type":"string"},"descriptor_url":{"type":"string"},"access":{"enum":["public","restricted","private"]},"version":{"type":"string","pattern":"^(?=.{5,256}$)(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$","description":"a semantic version such as 1.2.3 or 1.2.3-beta.1, at most 256 characters"}}};
const pattern6 = new RegExp("^[^\\p{Cc}\\p{Cs}]{1,512}$", "u");
const pattern7 = new RegExp("^(?=.{5,256}$)(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:skill-index-entry" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.id === undefined) || (!(func0.call(data, "id")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.capability_type === undefined) || (!(func0.call(data, "capability_type")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "capability_type"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.description === undefined) || (!(func0.call(data, "description")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.descriptor_url === undefined) || (!(func0.call(data, "descriptor_url")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "descriptor_url"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.access === undefined) || (!(func0.call(data, "access")))){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "access"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.id !== undefined && func0.call(data, "id")){
let data0 = data.id;
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]{1,512}$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
if(typeof data.name !== "string"){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.capability_type !== undefined && func0.call(data, "capability_type")){
let data2 = data.capability_type;
if(!((((data2 === "plugin") || (data2 === "api")) || (data2 === "knowledge")) || (data2 === "task"))){
const err10 = {instancePath:instancePath+"/capability_type",schemaPath:"#/properties/capability_type/enum",keyword:"enum",params:{allowedValues: schema33.properties.capability_type.enum}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
if(typeof data.description !== "string"){
const err11 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.descriptor_url !== undefined && func0.call(data, "descriptor_url")){
if(typeof data.descriptor_url !== "string"){
const err12 = {instancePath:instancePath+"/descriptor_url",schemaPath:"#/properties/descriptor_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.access !== undefined && func0.call(data, "access")){
let data5 = data.access;
if(!(((data5 === "public") || (data5 === "restricted")) || (data5 === "private"))){
const err13 = {instancePath:instancePath+"/access",schemaPath:"#/properties/access/enum",keyword:"enum",params:{allowedValues: schema33.properties.access.enum}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data6 = data.version;
if(typeof data6 === "string"){
if(!pattern7.test(data6)){
const err14 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?=.{5,256}$)(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"id":true,"name":true,"capability_type":true,"description":true,"descriptor_url":true,"access":true,"version":true},"dynamicProps":false,"dynamicItems":false};

export const skillDescriptor = validate23;
const schema34 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:skill-descriptor","type":"object","required":["protocol","id","name","version","capability_type","description","provider","endpoint","inputs","output","auth","access"],"properties":{"protocol":{"type":"object","required":["version"],"properties":{"version":{"type":"string","pattern":"^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$","description":"MAJOR.MINOR.PATCH, three non-negative integers"},"changelog_url":{"type":"string"}}},"id":{"type":"string","pattern":"^[^\\p{Cc}\\p{Cs}]{1,512}$","description":"1 to 512 Unicode characters without control characters"},"name":{"type":"string"},"version":{"type":"string","pattern":"^(?=.{5,256}$)(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$","description":"a semantic version such as 1.2.3 or 1.2.3-beta.1, at most 256 characters"},"capability_type":{"enum":["plugin","api","knowledge","task"]},"description":{"type":"string"},"provider":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"url":{"type":"string"}}},"endpoint":{"type":"object","required":["url"],"properties":{"url":{"type":"string"},"method":{"type":"string"},"content_type":{"type":"string"},"status_url":{"type":"string"},"result_url":{"type":"string"}}},"inputs":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"type":{"type":"string"},"description":{"type":"string"},"required":{"type":"boolean"},"default":{},"enum":{"type":"array","items":{}},"schema":{}}}},"output":{"type":"object","required":[],"properties":{"type":{"type":"string"},"description":{"type":"string"},"content_type":{"type":"string"},"schema":{}}},"auth":{"type":"object","required":["type"],"properties":{"type":{"enum":["api_key","oauth2","custom","none"]},"description":{"type":"string"},"header":{"type":"string"},"oauth2":{"type":"object","required":["authorization_url","token_url","scopes"],"properties":{"authorization_url":{"type":"string"},"token_url":{"type":"string"},"scopes":{"type":"object","additionalProperties":{"type":"string"}}}},"custom":{"type":"object","required":["instructions","parameters"],"properties":{"instructions":{"type":"string"},"parameters":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"type":{"type":"string"},"description":{"type":"string"},"required":{"type":"boolean"},"default":{},"enum":{"type":"array","items":{}},"schema":{}}}}}}}},"access":{"enum":["public","restricted","private"]},"tags":{"type":"array","items":{"type":"string"}},"documentation_url":{"type":"string"},"created_at":{"type":"string"},"updated_at":{"type":"string"}}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:skill-descriptor" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.protocol === undefined) || (!(func0.call(data, "protocol")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.id === undefined) || (!(func0.call(data, "id")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.capability_type === undefined) || (!(func0.call(data, "capability_type")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "capability_type"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.description === undefined) || (!(func0.call(data, "description")))){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((data.provider === undefined) || (!(func0.call(data, "provider")))){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((data.endpoint === undefined) || (!(func0.call(data, "endpoint")))){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "endpoint"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((data.inputs === undefined) || (!(func0.call(data, "inputs")))){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputs"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((data.output === undefined) || (!(func0.call(data, "output")))){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "output"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((data.auth === undefined) || (!(func0.call(data, "auth")))){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "auth"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((data.access === undefined) || (!(func0.call(data, "access")))){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "access"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.protocol !== undefined && func0.call(data, "protocol")){
let data0 = data.protocol;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.version === undefined) || (!(func0.call(data0, "version")))){
const err12 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data0.version !== undefined && func0.call(data0, "version")){
let data1 = data0.version;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err13 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data0.changelog_url !== undefined && func0.call(data0, "changelog_url")){
if(typeof data0.changelog_url !== "string"){
const err15 = {instancePath:instancePath+"/protocol/changelog_url",schemaPath:"#/properties/protocol/properties/changelog_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.id !== undefined && func0.call(data, "id")){
let data3 = data.id;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err17 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]{1,512}$"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
if(typeof data.name !== "string"){
const err19 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data5 = data.version;
if(typeof data5 === "string"){
if(!pattern7.test(data5)){
const err20 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?=.{5,256}$)(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.capability_type !== undefined && func0.call(data, "capability_type")){
let data6 = data.capability_type;
if(!((((data6 === "plugin") || (data6 === "api")) || (data6 === "knowledge")) || (data6 === "task"))){
const err22 = {instancePath:instancePath+"/capability_type",schemaPath:"#/properties/capability_type/enum",keyword:"enum",params:{allowedValues: schema34.properties.capability_type.enum}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
if(typeof data.description !== "string"){
const err23 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.provider !== undefined && func0.call(data, "provider")){
let data8 = data.provider;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if((data8.name === undefined) || (!(func0.call(data8, "name")))){
const err24 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data8.name !== undefined && func0.call(data8, "name")){
if(typeof data8.name !== "string"){
const err25 = {instancePath:instancePath+"/provider/name",schemaPath:"#/properties/provider/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data8.url !== undefined && func0.call(data8, "url")){
if(typeof data8.url !== "string"){
const err26 = {instancePath:instancePath+"/provider/url",schemaPath:"#/properties/provider/properties/url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.endpoint !== undefined && func0.call(data, "endpoint")){
let data11 = data.endpoint;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if((data11.url === undefined) || (!(func0.call(data11, "url")))){
const err28 = {instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/required",keyword:"required",params:{missingProperty: "url"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data11.url !== undefined && func0.call(data11, "url")){
if(typeof data11.url !== "string"){
const err29 = {instancePath:instancePath+"/endpoint/url",schemaPath:"#/properties/endpoint/properties/url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data11.method !== undefined && func0.call(data11, "method")){
if(typeof data11.method !== "string"){
const err30 = {instancePath:instancePath+"/endpoint/method",schemaPath:"#/properties/endpoint/properties/method/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data11.content_type !== undefined && func0.call(data11, "content_type")){
if(typeof data11.content_type !== "string"){
const err31 = {instancePath:instancePath+"/endpoint/content_type",schemaPath:"#/properties/endpoint/properties/content_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data11.status_url !== undefined && func0.call(data11, "status_url")){
if(typeof data11.status_url !== "string"){
const err32 = {instancePath:instancePath+"/endpoint/status_url",schemaPath:"#/properties/endpoint/properties/status_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data11.result_url !== undefined && func0.call(data11, "result_url")){
if(typeof data11.result_url !== "string"){
const err33 = {instancePath:instancePath+"/endpoint/result_url",schemaPath:"#/properties/endpoint/properties/result_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.inputs !== undefined && func0.call(data, "inputs")){
let data17 = data.inputs;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
let data18 = data17[i0];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if((data18.name === undefined) || (!(func0.call(data18, "name")))){
const err35 = {instancePath:instancePath+"/inputs/" + i0,schemaPath:"#/properties/inputs/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data18.name !== undefined && func0.call(data18, "name")){
if(typeof data18.name !== "string"){
const err36 = {instancePath:instancePath+"/inputs/" + i0+"/name",schemaPath:"#/properties/inputs/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data18.type !== undefined && func0.call(data18, "type")){
if(typeof data18.type !== "string"){
const err37 = {instancePath:instancePath+"/inputs/" + i0+"/type",schemaPath:"#/properties/inputs/items/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data18.description !== undefined && func0.call(data18, "description")){
if(typeof data18.description !== "string"){
const err38 = {instancePath:instancePath+"/inputs/" + i0+"/description",schemaPath:"#/properties/inputs/items/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data18.required !== undefined && func0.call(data18, "required")){
if(typeof data18.required !== "boolean"){
const err39 = {instancePath:instancePath+"/inputs/" + i0+"/required",schemaPath:"#/properties/inputs/items/properties/required/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data18.enum !== undefined && func0.call(data18, "enum")){
if(!(Array.isArray(data18.enum))){
const err40 = {instancePath:instancePath+"/inputs/" + i0+"/enum",schemaPath:"#/properties/inputs/items/properties/enum/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/inputs/" + i0,schemaPath:"#/properties/inputs/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data.output !== undefined && func0.call(data, "output")){
let data24 = data.output;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.type !== undefined && func0.call(data24, "type")){
if(typeof data24.type !== "string"){
const err43 = {instancePath:instancePath+"/output/type",schemaPath:"#/properties/output/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data24.description !== undefined && func0.call(data24, "description")){
if(typeof data24.description !== "string"){
const err44 = {instancePath:instancePath+"/output/description",schemaPath:"#/properties/output/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data24.content_type !== undefined && func0.call(data24, "content_type")){
if(typeof data24.content_type !== "string"){
const err45 = {instancePath:instancePath+"/output/content_type",schemaPath:"#/properties/output/properties/content_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.auth !== undefined && func0.call(data, "auth")){
let data28 = data.auth;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
if((data28.type === undefined) || (!(func0.call(data28, "type")))){
const err47 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data28.type !== undefined && func0.call(data28, "type")){
let data29 = data28.type;
if(!((((data29 === "api_key") || (data29 === "oauth2")) || (data29 === "custom")) || (data29 === "none"))){
const err48 = {instancePath:instancePath+"/auth/type",schemaPath:"#/properties/auth/properties/type/enum",keyword:"enum",params:{allowedValues: schema34.properties.auth.properties.type.enum}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data28.description !== undefined && func0.call(data28, "description")){
if(typeof data28.description !== "string"){
const err49 = {instancePath:instancePath+"/auth/description",schemaPath:"#/properties/auth/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data28.header !== undefined && func0.call(data28, "header")){
if(typeof data28.header !== "string"){
const err50 = {instancePath:instancePath+"/auth/header",schemaPath:"#/properties/auth/properties/header/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data28.oauth2 !== undefined && func0.call(data28, "oauth2")){
let data32 = data28.oauth2;
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
if((data32.authorization_url === undefined) || (!(func0.call(data32, "authorization_url")))){
const err51 = {instancePath:instancePath+"/auth/oauth2",schemaPath:"#/properties/auth/properties/oauth2/required",keyword:"required",params:{missingProperty: "authorization_url"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if((data32.token_url === undefined) || (!(func0.call(data32, "token_url")))){
const err52 = {instancePath:instancePath+"/auth/oauth2",schemaPath:"#/properties/auth/properties/oauth2/required",keyword:"required",params:{missingProperty: "token_url"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if((data32.scopes === undefined) || (!(func0.call(data32, "scopes")))){
const err53 = {instancePath:instancePath+"/auth/oauth2",schemaPath:"#/properties/auth/properties/oauth2/required",keyword:"required",params:{missingProperty: "scopes"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data32.authorization_url !== undefined && func0.call(data32, "authorization_url")){
if(typeof data32.authorization_url !== "string"){
const err54 = {instancePath:instancePath+"/auth/oauth2/authorization_url",schemaPath:"#/properties/auth/properties/oauth2/properties/authorization_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data32.token_url !== undefined && func0.call(data32, "token_url")){
if(typeof data32.token_url !== "string"){
const err55 = {instancePath:instancePath+"/auth/oauth2/token_url",schemaPath:"#/properties/auth/properties/oauth2/properties/token_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data32.scopes !== undefined && func0.call(data32, "scopes")){
let data35 = data32.scopes;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
for(const key0 of Object.keys(data35)){
if(typeof data35[key0] !== "string"){
const err56 = {instancePath:instancePath+"/auth/oauth2/scopes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/auth/properties/oauth2/properties/scopes/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/auth/oauth2/scopes",schemaPath:"#/properties/auth/properties/oauth2/properties/scopes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/auth/oauth2",schemaPath:"#/properties/auth/properties/oauth2/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data28.custom !== undefined && func0.call(data28, "custom")){
let data37 = data28.custom;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if((data37.instructions === undefined) || (!(func0.call(data37, "instructions")))){
const err59 = {instancePath:instancePath+"/auth/custom",schemaPath:"#/properties/auth/properties/custom/required",keyword:"required",params:{missingProperty: "instructions"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if((data37.parameters === undefined) || (!(func0.call(data37, "parameters")))){
const err60 = {instancePath:instancePath+"/auth/custom",schemaPath:"#/properties/auth/properties/custom/required",keyword:"required",params:{missingProperty: "parameters"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(data37.instructions !== undefined && func0.call(data37, "instructions")){
if(typeof data37.instructions !== "string"){
const err61 = {instancePath:instancePath+"/auth/custom/instructions",schemaPath:"#/properties/auth/properties/custom/properties/instructions/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data37.parameters !== undefined && func0.call(data37, "parameters")){
let data39 = data37.parameters;
if(Array.isArray(data39)){
const len1 = data39.length;
for(let i1=0; i1<len1; i1++){
let data40 = data39[i1];
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if((data40.name === undefined) || (!(func0.call(data40, "name")))){
const err62 = {instancePath:instancePath+"/auth/custom/parameters/" + i1,schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data40.name !== undefined && func0.call(data40, "name")){
if(typeof data40.name !== "string"){
const err63 = {instancePath:instancePath+"/auth/custom/parameters/" + i1+"/name",schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data40.type !== undefined && func0.call(data40, "type")){
if(typeof data40.type !== "string"){
const err64 = {instancePath:instancePath+"/auth/custom/parameters/" + i1+"/type",schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data40.description !== undefined && func0.call(data40, "description")){
if(typeof data40.description !== "string"){
const err65 = {instancePath:instancePath+"/auth/custom/parameters/" + i1+"/description",schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data40.required !== undefined && func0.call(data40, "required")){
if(typeof data40.required !== "boolean"){
const err66 = {instancePath:instancePath+"/auth/custom/parameters/" + i1+"/required",schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/properties/required/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data40.enum !== undefined && func0.call(data40, "enum")){
if(!(Array.isArray(data40.enum))){
const err67 = {instancePath:instancePath+"/auth/custom/parameters/" + i1+"/enum",schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/properties/enum/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
else {
const err68 = {instancePath:instancePath+"/auth/custom/parameters/" + i1,schemaPath:"#/properties/auth/properties/custom/properties/parameters/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/auth/custom/parameters",schemaPath:"#/properties/auth/properties/custom/properties/parameters/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
}
else {
const err70 = {instancePath:instancePath+"/auth/custom",schemaPath:"#/properties/auth/properties/custom/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
else {
const err71 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data.access !== undefined && func0.call(data, "access")){
let data46 = data.access;
if(!(((data46 === "public") || (data46 === "restricted")) || (data46 === "private"))){
const err72 = {instancePath:instancePath+"/access",schemaPath:"#/properties/access/enum",keyword:"enum",params:{allowedValues: schema34.properties.access.enum}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data.tags !== undefined && func0.call(data, "tags")){
let data47 = data.tags;
if(Array.isArray(data47)){
const len2 = data47.length;
for(let i2=0; i2<len2; i2++){
if(typeof data47[i2] !== "string"){
const err73 = {instancePath:instancePath+"/tags/" + i2,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
else {
const err74 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data.documentation_url !== undefined && func0.call(data, "documentation_url")){
if(typeof data.documentation_url !== "string"){
const err75 = {instancePath:instancePath+"/documentation_url",schemaPath:"#/properties/documentation_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data.created_at !== undefined && func0.call(data, "created_at")){
if(typeof data.created_at !== "string"){
const err76 = {instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data.updated_at !== undefined && func0.call(data, "updated_at")){
if(typeof data.updated_at !== "string"){
const err77 = {instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
}
else {
const err78 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"protocol":true,"id":true,"name":true,"version":true,"capability_type":true,"description":true,"provider":true,"endpoint":true,"inputs":true,"output":true,"auth":true,"access":true,"tags":true,"documentation_url":true,"created_at":true,"updated_at":true},"dynamicProps":false,"dynamicItems":false};

export const invocationRequest = validate24;
const schema35 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:invocation-request","type":"object","required":["caller","skill_id","inputs"],"properties":{"caller":{"type":"object","required":["id","type"],"properties":{"id":{"type":"string"},"type":{"type":"string"},"credentials":{}}},"skill_id":{"type":"string","pattern":"^[^\\p{Cc}\\p{Cs}]{1,512}$","description":"1 to 512 Unicode characters without control characters"},"inputs":{"type":"object","additionalProperties":{}},"context":{"type":"object","required":[],"properties":{"trace_id":{"type":"string"},"priority":{"type":["string","number"]},"timeout_ms":{"type":"number"}}}}};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:invocation-request" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.caller === undefined) || (!(func0.call(data, "caller")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "caller"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.skill_id === undefined) || (!(func0.call(data, "skill_id")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skill_id"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.inputs === undefined) || (!(func0.call(data, "inputs")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputs"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.caller !== undefined && func0.call(data, "caller")){
let data0 = data.caller;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.id === undefined) || (!(func0.call(data0, "id")))){
const err3 = {instancePath:instancePath+"/caller",schemaPath:"#/properties/caller/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data0.type === undefined) || (!(func0.call(data0, "type")))){
const err4 = {instancePath:instancePath+"/caller",schemaPath:"#/properties/caller/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0.id !== undefined && func0.call(data0, "id")){
if(typeof data0.id !== "string"){
const err5 = {instancePath:instancePath+"/caller/id",schemaPath:"#/properties/caller/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.type !== undefined && func0.call(data0, "type")){
if(typeof data0.type !== "string"){
const err6 = {instancePath:instancePath+"/caller/type",schemaPath:"#/properties/caller/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/caller",schemaPath:"#/properties/caller/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.skill_id !== undefined && func0.call(data, "skill_id")){
let data3 = data.skill_id;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err8 = {instancePath:instancePath+"/skill_id",schemaPath:"#/properties/skill_id/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]{1,512}$"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/skill_id",schemaPath:"#/properties/skill_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.inputs !== undefined && func0.call(data, "inputs")){
let data4 = data.inputs;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
}
else {
const err10 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.context !== undefined && func0.call(data, "context")){
let data5 = data.context;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.trace_id !== undefined && func0.call(data5, "trace_id")){
if(typeof data5.trace_id !== "string"){
const err11 = {instancePath:instancePath+"/context/trace_id",schemaPath:"#/properties/context/properties/trace_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data5.priority !== undefined && func0.call(data5, "priority")){
let data7 = data5.priority;
if((typeof data7 !== "string") && (!((typeof data7 == "number") && (isFinite(data7))))){
const err12 = {instancePath:instancePath+"/context/priority",schemaPath:"#/properties/context/properties/priority/type",keyword:"type",params:{type: schema35.properties.context.properties.priority.type}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data5.timeout_ms !== undefined && func0.call(data5, "timeout_ms")){
let data8 = data5.timeout_ms;
if(!((typeof data8 == "number") && (isFinite(data8)))){
const err13 = {instancePath:instancePath+"/context/timeout_ms",schemaPath:"#/properties/context/properties/timeout_ms/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"caller":true,"skill_id":true,"inputs":true,"context":true},"dynamicProps":false,"dynamicItems":false};

export const invocationResponse = validate25;
const schema36 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:invocation-response","type":"object","required":["execution_id","status","skill_id","timestamps"],"properties":{"execution_id":{"type":"string"},"status":{"type":"string"},"skill_id":{"type":"string","pattern":"^[^\\p{Cc}\\p{Cs}]{1,512}$","description":"1 to 512 Unicode characters without control characters"},"timestamps":{"type":"object","additionalProperties":{"type":"string"}},"output":{},"error":{"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"details":{},"retry":{"type":"object","required":[],"properties":{"suggested_delay_ms":{"type":"number"},"max_attempts":{"type":"number"}}}}}}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:invocation-response" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.execution_id === undefined) || (!(func0.call(data, "execution_id")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "execution_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.status === undefined) || (!(func0.call(data, "status")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.skill_id === undefined) || (!(func0.call(data, "skill_id")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skill_id"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.timestamps === undefined) || (!(func0.call(data, "timestamps")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "timestamps"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.execution_id !== undefined && func0.call(data, "execution_id")){
if(typeof data.execution_id !== "string"){
const err4 = {instancePath:instancePath+"/execution_id",schemaPath:"#/properties/execution_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
if(typeof data.status !== "string"){
const err5 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.skill_id !== undefined && func0.call(data, "skill_id")){
let data2 = data.skill_id;
if(typeof data2 === "string"){
if(!pattern6.test(data2)){
const err6 = {instancePath:instancePath+"/skill_id",schemaPath:"#/properties/skill_id/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]{1,512}$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/skill_id",schemaPath:"#/properties/skill_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.timestamps !== undefined && func0.call(data, "timestamps")){
let data3 = data.timestamps;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key0 of Object.keys(data3)){
if(typeof data3[key0] !== "string"){
const err8 = {instancePath:instancePath+"/timestamps/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/timestamps/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/timestamps",schemaPath:"#/properties/timestamps/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.error !== undefined && func0.call(data, "error")){
let data5 = data.error;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if((data5.code === undefined) || (!(func0.call(data5, "code")))){
const err10 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((data5.message === undefined) || (!(func0.call(data5, "message")))){
const err11 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "message"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data5.code !== undefined && func0.call(data5, "code")){
if(typeof data5.code !== "string"){
const err12 = {instancePath:instancePath+"/error/code",schemaPath:"#/properties/error/properties/code/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data5.message !== undefined && func0.call(data5, "message")){
if(typeof data5.message !== "string"){
const err13 = {instancePath:instancePath+"/error/message",schemaPath:"#/properties/error/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data5.retry !== undefined && func0.call(data5, "retry")){
let data8 = data5.retry;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.suggested_delay_ms !== undefined && func0.call(data8, "suggested_delay_ms")){
let data9 = data8.suggested_delay_ms;
if(!((typeof data9 == "number") && (isFinite(data9)))){
const err14 = {instancePath:instancePath+"/error/retry/suggested_delay_ms",schemaPath:"#/properties/error/properties/retry/properties/suggested_delay_ms/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data8.max_attempts !== undefined && func0.call(data8, "max_attempts")){
let data10 = data8.max_attempts;
if(!((typeof data10 == "number") && (isFinite(data10)))){
const err15 = {instancePath:instancePath+"/error/retry/max_attempts",schemaPath:"#/properties/error/properties/retry/properties/max_attempts/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/error/retry",schemaPath:"#/properties/error/properties/retry/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":{"execution_id":true,"status":true,"skill_id":true,"timestamps":true,"output":true,"error":true},"dynamicProps":false,"dynamicItems":false};

export const errorEnvelope = validate26;
const schema37 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:skill-sharing:1:error-envelope","type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"details":{},"retry":{"type":"object","required":[],"properties":{"suggested_delay_ms":{"type":"number"},"max_attempts":{"type":"number"}}}}}}};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:skill-sharing:1:error-envelope" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.error === undefined) || (!(func0.call(data, "error")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "error"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.error !== undefined && func0.call(data, "error")){
let data0 = data.error;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.code === undefined) || (!(func0.call(data0, "code")))){
const err1 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data0.message === undefined) || (!(func0.call(data0, "message")))){
const err2 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "message"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.code !== undefined && func0.call(data0, "code")){
if(typeof data0.code !== "string"){
const err3 = {instancePath:instancePath+"/error/code",schemaPath:"#/properties/error/properties/code/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.message !== undefined && func0.call(data0, "message")){
if(typeof data0.message !== "string"){
const err4 = {instancePath:instancePath+"/error/message",schemaPath:"#/properties/error/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data0.retry !== undefined && func0.call(data0, "retry")){
let data3 = data0.retry;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.suggested_delay_ms !== undefined && func0.call(data3, "suggested_delay_ms")){
let data4 = data3.suggested_delay_ms;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err5 = {instancePath:instancePath+"/error/retry/suggested_delay_ms",schemaPath:"#/properties/error/properties/retry/properties/suggested_delay_ms/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data3.max_attempts !== undefined && func0.call(data3, "max_attempts")){
let data5 = data3.max_attempts;
if(!((typeof data5 == "number") && (isFinite(data5)))){
const err6 = {instancePath:instancePath+"/error/retry/max_attempts",schemaPath:"#/properties/error/properties/retry/properties/max_attempts/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/error/retry",schemaPath:"#/properties/error/properties/retry/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":{"error":true},"dynamicProps":false,"dynamicItems":false};
