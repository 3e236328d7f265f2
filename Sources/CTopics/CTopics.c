#include "CTopics.h"

// The texts are made from Docs by 'make man'; the binary has them with it, as it needs no other file.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char rql[] = {
#embed "../../topics/rql.txt"
  , 0};
static const char plan[] = {
#embed "../../topics/plan.txt"
  , 0};
static const char cookbook[] = {
#embed "../../topics/cookbook.txt"
  , 0};
static const char schema[] = {
#embed "../../topics/schema.txt"
  , 0};
static const char redaction[] = {
#embed "../../topics/redaction.txt"
  , 0};
static const char json[] = {
#embed "../../topics/json.txt"
  , 0};
static const char sqlite[] = {
#embed "../../topics/sqlite.txt"
  , 0};
static const char formats[] = {
#embed "../../topics/formats.txt"
  , 0};
static const char keys[] = {
#embed "../../topics/keys.txt"
  , 0};
static const char damage[] = {
#embed "../../topics/damage.txt"
  , 0};
static const char problems[] = {
#embed "../../topics/problems.txt"
  , 0};

static const struct ctopics_topic topics[] = {
    {"rql", rql},
    {"plan", plan},
    {"cookbook", cookbook},
    {"schema", schema},
    {"redaction", redaction},
    {"json", json},
    {"sqlite", sqlite},
    {"formats", formats},
    {"keys", keys},
    {"damage", damage},
    {"problems", problems},
};

const struct ctopics_topic *ctopics_at(size_t index) {
  return index < sizeof topics / sizeof *topics ? topics + index : NULL;
}
